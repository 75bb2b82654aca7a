"""Showing results: on the screen, and as JSON, JUnit, SARIF and Markdown documents."""
