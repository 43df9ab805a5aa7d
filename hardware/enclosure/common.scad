// What every part shares. Millimetres; each part lies on the bed as it is printed, without supports.
wall = 2.4;        // six lines of a 0.4 mm nozzle
clearance = 0.3;   // around everything that is put into something
corner = 4;        // radius of outer corners
cable = 4;         // a twisted pair
screw_pilot = 2.5; // a 3 mm screw cuts its own thread
screw_through = 3.4;
$fn = 32;

module outline(size, radius = corner) {
    offset(r = radius) square([size.x - 2 * radius, size.y - 2 * radius], center = true);
}

module plate(size, radius = corner) {
    linear_extrude(size.z) outline(size, radius);
}

// The same thing at all four corners of a rectangle around the origin.
module at_corners(x, y) {
    for (sx = [-1, 1], sy = [-1, 1]) translate([sx * x / 2, sy * y / 2, 0]) children();
}
