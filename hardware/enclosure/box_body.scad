// The body of the box: the Pi at one end, the strip board beside it; box_lid.scad closes it with four screws.
include <common.scad>

inside = [150, 100];   // as the lid has it
height = 60;           // inside: the host button hangs 40 mm deep above the strip board
floor = 2.4;
lip = 6;               // of the lid
post = 9;
posts = [inside.x - 16, inside.y - 16];
cables = 14;           // notches at the front: a pair each, or a network cable for four pairs

// A Pi, parts up: its USB side looks out at the back, so its power and HDMI side to the right, where plugs reach it
// through the wall, and its pins look at the strip board.
pi = [56, 85];
pi_corner = [6, -38.5];                // clear of the posts
pi_holes = [49, 58];
pi_hole_corner = pi_corner + [3.5, 3.5];
pi_post = 5;                           // high
pi_pilot = 2.1;                        // an M2.5 screw cuts its own thread
usb = 58;                              // as wide are the openings
power = 70;

outer = [inside.x + 2 * wall, inside.y + 2 * wall];
rim = floor + height;
sill = floor + pi_post - 1;            // of the openings, under the Pi's board
assert(height >= 55, "The host button above the strip board needs 55 mm.");

linear_extrude(floor) difference() {
    outline(outer);
    // air, beside the strip board
    for (slot = [0 : 4]) translate([-8 - slot * 9, 0]) hull() {
        translate([0, -12]) circle(d = 3);
        translate([0, 12]) circle(d = 3);
    }
}
difference() {
    translate([0, 0, floor - 0.01]) linear_extrude(height + 0.01) difference() {
        outline(outer);
        outline(inside, corner - wall);
    }
    // All openings reach up to the rim: nothing is printed over air.
    translate([pi_corner.x + pi.x / 2, inside.y / 2, sill]) upwards([usb, 20]);
    translate([inside.x / 2, pi_corner.y + pi.y / 2 - 6, sill]) upwards([20, power]);
    for (place = [0 : cables - 1]) translate([(place - (cables - 1) / 2) * 9, -inside.y / 2, rim]) notch();
}
// posts for the lid's screws: they end under its own
difference() {
    translate([0, 0, floor - 0.01]) linear_extrude(height - lip - clearance + 0.01) intersection() {
        at_corners(posts.x, posts.y) square(post + 8, center = true);
        union() {
            at_corners(posts.x, posts.y) circle(d = post);
            // joined to the walls
            for (sx = [-1, 1], sy = [-1, 1]) hull() {
                translate([sx * posts.x / 2, sy * posts.y / 2]) circle(d = 3);
                translate([sx * (posts.x / 2 + 9), sy * (posts.y / 2 + 9)]) circle(d = 3);
            }
        }
    }
    at_corners(posts.x, posts.y) translate([0, 0, rim - lip - 14]) cylinder(d = screw_pilot, h = 20);
}
// posts for the Pi
translate([pi_hole_corner.x, pi_hole_corner.y, floor - 0.01]) for (x = [0, pi_holes.x], y = [0, pi_holes.y])
    translate([x, y, 0]) difference() {
        cylinder(d = 6, h = pi_post);
        translate([0, 0, 0.5]) cylinder(d = pi_pilot, h = pi_post);
    }

module upwards(size) {
    translate([0, 0, height]) cube([size.x, size.y, 2 * height], center = true);
}

// A slot for a cable, round below; the lid's lip holds it down.
module notch() {
    hull() {
        translate([0, 0, -lip - cable / 2 - 1]) rotate([90, 0, 0]) cylinder(d = cable + 1, h = 4 * wall, center = true);
        cube([cable + 1, 4 * wall, 0.1], center = true);
    }
}
