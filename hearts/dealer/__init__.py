"""The dealer dialect: frames with the messages of 1993 (DealerSpec.md section 14)."""
