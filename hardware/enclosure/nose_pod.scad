// A pod for one nose. `-D button=28` or `-D button=30`: the hole that the button's maker asks for.
include <common.scad>

button = 30;
size = 64;
height = 48;   // a snap-in button with its switch is 40 deep
panel = 3;     // what the button's clips hold on to
post = 9;

assert(button == 28 || button == 30, "Say -D button=28 or -D button=30.");

// Printed upside down: the panel lies on the bed.
linear_extrude(panel) difference() {
    outline([size, size], 8);
    circle(d = button + clearance, $fn = 96);
}
difference() {
    translate([0, 0, panel - 0.01]) linear_extrude(height - panel + 0.01) shell();
    // the cable
    translate([0, size / 2, height]) rotate([90, 0, 0]) cylinder(d = cable + 2, h = 3 * wall, center = true);
}

// The walls, and posts that the base is screwed to from below.
module shell() {
    difference() {
        outline([size, size], 8);
        outline([size - 2 * wall, size - 2 * wall], 8 - wall);
    }
    intersection() {
        at_corners(size - 10, size - 10) difference() {
            circle(d = post);
            circle(d = screw_pilot);
        }
        outline([size, size], 8);
    }
}
