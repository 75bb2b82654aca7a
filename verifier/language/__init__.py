"""The one formula language: a syntax tree (:mod:`.syntax`) with readings as fractions, arrays, balls and symbols."""
