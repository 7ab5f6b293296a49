//! Prints the OpenAPI document: `cargo run -p pegwise-web --example openapi`.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

fn main() {
    println!("{:#}", pegwise_web::openapi());
}
