"""What happens in the transcripts, file by file."""
