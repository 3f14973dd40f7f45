# The browser assets, the binary, and nothing else.
FROM node:22-bookworm AS assets
WORKDIR /src
COPY Makefile ./
COPY static ./static
RUN make assets

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=assets /src/static ./static
ARG VERSION=dev
RUN go run ./.ci/licenses && make binary VERSION=$VERSION && mkdir -p /empty/data /empty/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build --chown=65532:65532 --chmod=700 /empty/data /data
COPY --from=build --chown=65532:65532 --chmod=700 /empty/tmp /tmp
COPY --from=build /src/bin/guiche /guiche
USER 65532:65532
ENV GUICHE_DATA=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/guiche", "healthcheck"]
ENTRYPOINT ["/guiche"]
CMD ["serve"]
