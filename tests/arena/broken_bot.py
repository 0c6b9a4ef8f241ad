raise RuntimeError("this module cannot be had")
