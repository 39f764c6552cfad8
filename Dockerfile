# The toolchain with what builds and tests it:
#   docker build -t gensyn . && docker run --rm gensyn gensyn-run --help
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /gensyn
COPY cmake/dependencies.sh cmake/onnx-checks.h cmake/
RUN cmake/dependencies.sh
COPY . .
RUN make build
ENV PATH=/gensyn/build/release/bin:$PATH
