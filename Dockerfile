# A small image with the program: `docker build -t pegwise .`, then `docker run --rm -it pegwise play`.
# The page: `docker run --rm -p 7411:7411 pegwise serve --host 0.0.0.0`, then http://localhost:7411.
FROM node:22-bookworm-slim AS page
WORKDIR /pegwise/crates/web
COPY crates/web .
RUN npm --prefix site ci && node site/bundle.mjs /page

FROM rust:1.95-slim-bookworm AS build
WORKDIR /pegwise
COPY . .
COPY --from=page /page /page
RUN PEGWISE_PAGE=/page cargo build --release --locked --package pegwise

FROM debian:bookworm-slim
COPY --from=build /pegwise/target/release/pegwise /usr/local/bin/pegwise
USER nobody
ENTRYPOINT ["pegwise"]
