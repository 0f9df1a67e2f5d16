//! What a module for Node is linked with.

fn main() {
    napi_build::setup();
}
