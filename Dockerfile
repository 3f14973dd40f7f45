# The assets, the binary, and nothing else.
FROM golang:1.26-bookworm AS modules
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download && cp -r "$(go list -m -f '{{.Dir}}' golang.org/x/image)/font/gofont/ttfs" /fonts

FROM node:22-bookworm AS assets
WORKDIR /src
COPY --from=modules /fonts /fonts
COPY Makefile ./
COPY static ./static
COPY web ./web
RUN GOFONTS=/fonts make assets

FROM modules AS build
COPY . .
COPY --from=assets /src/static ./static
COPY --from=assets /src/internal/guide/fonts/dist ./internal/guide/fonts/dist
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
