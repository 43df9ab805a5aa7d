"""The pages and the API of a hall: the organiser's desk, screens for everybody, what is printed."""
