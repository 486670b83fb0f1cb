//! Plots and images as inline SVG, which shows without scripts and on paper.
//!
//! The lines of a plot are drawn in a box of 1000 by 1000 that is stretched; texts stand around it as HTML, so that they keep their
//! size on narrow screens.

use std::fmt::Write;

use maud::{Markup, html};

use super::Context;
use crate::image::{Image, Strip};
use crate::plot::{Line, Plot, PlotAxis};
use crate::words::short;

/// Shades of grey of an image.
const SHADES: f64 = 40.0;
/// Signs are drawn on so many changed pixels at most, of images that are no wider.
const SIGNS: usize = 150;
const WIDEST_WITH_SIGNS: usize = 32;

pub(super) fn plot(plot: &Plot, context: &mut Context) -> Markup {
    let id = context.id();
    let place_y = |y: f64| format!("top:{:.2}%", 100.0 * (1.0 - plot.y.place(y)));
    let place_x = |x: f64| format!("left:{:.2}%", 100.0 * plot.x.place(x));
    html! {
        figure class="plot" {
            figcaption { (plot.title) }
            div class="legend" { @for line in &plot.lines { span { (key(line)) " " (line.name) } } }
            div class="axes" {
                div class="y-label" aria-hidden="true" { (plot.y.label) }
                div class="y" aria-hidden="true" { @for (tick, text) in &plot.y.ticks { span style=(place_y(*tick)) { (text) } } }
                svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-labelledby={ (id) "-t " (id) "-d" }
                    data-x={ (plot.x.low) " " (plot.x.high) } data-y={ (plot.y.low) " " (plot.y.high) } {
                    title id={ (id) "-t" } { (plot.title) }
                    desc id={ (id) "-d" } { (plot.description) }
                    @for (tick, _) in &plot.y.ticks { path class="grid" d={ "M0 " (up(&plot.y, *tick)) "H1000" } {} }
                    @if plot.has_band && plot.lines.len() > 1 { path class="band" d=(band(plot)) {} }
                    @for line in &plot.lines { path class=(class(line)) d=(steps(plot, line)) {} }
                }
                div class="x" aria-hidden="true" { @for (tick, text) in &plot.x.ticks { span style=(place_x(*tick)) { (text) } } }
                div class="x-label" aria-hidden="true" { (plot.x.label) }
            }
            p class="more" { (plot.description) }
        }
    }
}

fn class(line: &Line) -> &'static str {
    match (line.is_second, line.is_dashed) {
        (false, false) => "line",
        (false, true) => "line dashed",
        (true, false) => "line second",
        (true, true) => "line second dashed",
    }
}

/// A piece of a line, for the legend.
fn key(line: &Line) -> Markup {
    html! { svg class="key" viewBox="0 0 28 8" width="28" height="8" aria-hidden="true" { path class=(class(line)) d="M0 4H28" {} } }
}

/// A coordinate with few digits.
fn digits(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn along(axis: &PlotAxis, x: f64) -> String {
    digits(1000.0 * axis.place(x))
}

fn up(axis: &PlotAxis, y: f64) -> String {
    digits(1000.0 * (1.0 - axis.place(y)))
}

fn steps(plot: &Plot, line: &Line) -> String {
    let mut path = String::new();
    for (place, (x, y)) in line.points.iter().enumerate() {
        let (x, y) = (along(&plot.x, *x), up(&plot.y, *y));
        path.push_str(&if place == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") });
    }
    path
}

/// A line from where another begins.
fn from(line: &Line, start: f64) -> Line {
    let before = line.points.iter().take_while(|point| point.0 <= start).last().map(|point| (start, point.1));
    let points = before.into_iter().chain(line.points.iter().copied().filter(|point| point.0 > start)).collect();
    Line { name: String::new(), points, ..*line }
}

/// The band between the first two lines, there and back.
fn band(plot: &Plot) -> String {
    let start = |line: &Line| line.points.first().map_or(0.0, |point| point.0);
    let start = start(&plot.lines[0]).max(start(&plot.lines[1]));
    let mut path = steps(plot, &from(&plot.lines[0], start));
    let points = from(&plot.lines[1], start).points;
    for (place, (x, y)) in points.iter().enumerate().rev() {
        let (x, y) = (along(&plot.x, *x), up(&plot.y, *y));
        let is_first_back = place + 1 == points.len();
        path.push_str(&if is_first_back { format!("L{x} {y}") } else { format!("V{y}H{x}") });
    }
    path + "Z"
}

pub(super) fn strips(strips: &[Strip], context: &mut Context) -> Markup {
    html! {
        @for strip in strips {
            figure class="strip" {
                figcaption { (strip.caption) }
                div class="images" {
                    @for (name, image) in &strip.images { div class="image" { (drawn(image, name, context)) span { (name) } } }
                }
            }
        }
        @if strips.iter().flat_map(|strip| &strip.images).any(|(_, image)| image.is_difference) {
            p class="more" { "Dark pixels are high values. In a difference, + is a pixel that rose and − one that fell; the stronger, the more." }
        }
    }
}

fn drawn(image: &Image, name: &str, context: &mut Context) -> Markup {
    let id = context.id();
    let (columns, rows) = (image.columns, image.pixels.len() / image.columns.max(1));
    let described = if image.is_difference {
        let rose = image.pixels.iter().flatten().filter(|by| **by > 0.0).count();
        let fell = image.pixels.iter().flatten().filter(|by| **by < 0.0).count();
        format!("{columns} by {rows} pixels: {rose} rose, {fell} fell, by {} at most", short(image.range.1))
    } else {
        format!("An image of {columns} by {rows} pixels")
    };
    html! {
        svg viewBox={ "0 0 " (columns) " " (rows) } role="img" aria-labelledby={ (id) "-t " (id) "-d" } shape-rendering="crispEdges" {
            title id={ (id) "-t" } { (name) }
            desc id={ (id) "-d" } { (described) }
            rect width=(columns) height=(rows) fill="#fff" {}
            @if image.is_difference { (difference(image)) } @else { (grey(image)) }
        }
    }
}

/// One path for each shade: pixels of the same shade beside each other are one rectangle.
fn grey(image: &Image) -> Markup {
    let (low, high) = image.range;
    let shade = |pixel: Option<f64>| -> Option<u8> {
        let share = if high > low { (pixel? - low) / (high - low) } else { pixel.map(|_| 0.0)? };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 40")]
        Some((share.clamp(0.0, 1.0) * SHADES).round() as u8)
    };
    let mut paths: Vec<(u8, String)> = vec![];
    for (row, pixels) in image.pixels.chunks(image.columns.max(1)).enumerate() {
        let mut column = 0;
        while column < pixels.len() {
            let own = shade(pixels[column]);
            let length = pixels[column..].iter().take_while(|pixel| shade(**pixel) == own).count();
            if let Some(own) = own.filter(|shade| *shade > 0) {
                let place = paths.iter().position(|(shade, _)| *shade == own).unwrap_or_else(|| {
                    paths.push((own, String::new()));
                    paths.len() - 1
                });
                // Writing to a text cannot fail.
                let _ = write!(paths[place].1, "M{column} {row}h{length}v1h-{length}z");
            }
            column += length;
        }
    }
    let missing = image.pixels.iter().enumerate().filter(|(_, pixel)| pixel.is_none());
    html! {
        @for (shade, path) in &paths {
            @let level = (255.0 * (1.0 - f64::from(*shade) / SHADES)).round();
            path fill={ "rgb(" (level) "," (level) "," (level) ")" } d=(path) {}
        }
        @for (place, _) in missing {
            rect x=(place % image.columns) y=(place / image.columns) width="1" height="1" fill="#e8c547" {}
        }
    }
}

fn difference(image: &Image) -> Markup {
    let changed: Vec<(usize, f64)> =
        image.pixels.iter().enumerate().filter_map(|(place, by)| Some((place, by.filter(|by| *by != 0.0)?))).collect();
    let has_signs = changed.len() <= SIGNS && image.columns <= WIDEST_WITH_SIGNS;
    html! {
        @for (place, by) in &changed {
            @let (x, y) = (place % image.columns, place / image.columns);
            @let strength = 0.3 + 0.7 * (by.abs() / image.range.1).clamp(0.0, 1.0);
            rect x=(x) y=(y) width="1" height="1" fill=(if *by > 0.0 { "#b2182b" } else { "#2166ac" }) fill-opacity=(digits(strength)) {}
            @if has_signs {
                @let ink = if strength > 0.6 { "#fff" } else { "#000" };
                path shape-rendering="auto" stroke=(ink) stroke-width=".14" d=(sign(x, y, *by)) {}
            }
        }
    }
}

fn sign(x: usize, y: usize, by: f64) -> String {
    let across = format!("M{x}.25 {y}.5h.5");
    if by > 0.0 { format!("{across}M{x}.5 {y}.25v.5") } else { across }
}
