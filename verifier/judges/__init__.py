"""Judges that any paper can use, each a function ``(question, fields) -> finding`` named in statement files."""
