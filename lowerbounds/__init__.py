"""Communication problems, fooling sets, message alphabets and Alice–Bob protocols."""
