"""Judges that any paper can use, each a function ``(query, fields) -> outcome`` named in statement files."""
