"""Pictures of judged claims, as SVG: inside a page on the site, as a file for a user of the terminal."""
