"""Pictures of judged claims as SVG, which stand in a page of the site or in a file for a user of the terminal."""
