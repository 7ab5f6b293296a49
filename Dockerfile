# A small image with the program: `docker build -t pegwise .`, then `docker run --rm -it pegwise play`.
# The page: `docker run --rm -p 7411:7411 pegwise serve --host 0.0.0.0`, then http://localhost:7411.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /pegwise
COPY . .
RUN cargo build --release --locked --package pegwise

FROM debian:bookworm-slim
COPY --from=build /pegwise/target/release/pegwise /usr/local/bin/pegwise
USER nobody
ENTRYPOINT ["pegwise"]
