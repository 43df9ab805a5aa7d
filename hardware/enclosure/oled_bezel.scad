// A bezel for the usual OLED module of 0.96 inch (SSD1306, 128 × 64); with other numbers for any other.
include <common.scad>

board = [27.6, 27.9];      // the module, measured: makers differ
window = [23.2, 12.4];     // what lights up, and a little more
window_up = 1.6;           // how far the picture's middle is above the board's
holes = [23.3, 23.6];      // between the middles of the module's holes
frame = 7;
front = 2.6;
edge = 1.4;                // of the window, upright
depth = 4.2;               // glass and board

outer = [board.x + 2 * frame, board.y + 2 * frame];

difference() {
    plate([outer.x, outer.y, front + depth]);
    // the module lies in here, face down on the bed's side
    translate([-board.x / 2 - clearance, -board.y / 2 - clearance, front])
        cube([board.x + 2 * clearance, board.y + 2 * clearance, depth + 1]);
    // the window, opening outwards; its edge stays thick enough to print
    translate([0, window_up, -1]) linear_extrude(front + 2) square(window, center = true);
    translate([0, window_up, 0]) hull() {
        translate([0, 0, front - edge]) linear_extrude(0.02) square(window, center = true);
        translate([0, 0, -0.02]) linear_extrude(0.02) square([window.x + 2.4, window.y + 2.4], center = true);
    }
    // the pins' side is open, for the cable
    translate([-6.5, 0, front + 1.2]) cube([13, outer.y, depth]);
    // screws into the lid
    at_corners(outer.x - 7, outer.y - 7) translate([0, 0, -1]) cylinder(d = screw_through, h = front + depth + 2);
}
// pegs for the module's holes
at_corners(holes.x, holes.y) translate([0, 0, front - 0.01]) cylinder(d = 1.8, h = 2.4);
