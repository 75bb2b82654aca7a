"""Pictures of what was judged, as SVG: on the site inside a page, for a terminal's user as a file of its own."""
