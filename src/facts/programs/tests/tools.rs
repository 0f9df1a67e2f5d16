//! Containers, clouds, package managers and build tools.

use super::claims::{every_line, no_line};
use super::files::{fetches, files};
use super::inner::runs;
use super::*;

#[test]
fn tools_that_only_read() {
    every_line(include_str!("tools/read-only.txt"), |u| &u.read_only);
}

#[test]
fn tools_that_do_more_than_read() {
    no_line(include_str!("tools/not-read-only.txt"), |u| &u.read_only);
}

#[test]
fn tools_of_the_project() {
    every_line(include_str!("tools/project.txt"), |u| &u.project);
    no_line(include_str!("tools/not-project.txt"), |u| &u.project);
}

#[test]
fn what_is_read_and_written() {
    files("docker run -v /:/host x", "b*:/");
    files("docker run -v data:/data x", "");
    files("docker run --volume=./src:/src:ro x ls", "b*:./src");
    files("docker run --mount type=bind,source=/etc,target=/x y", "b*:/etc");
    files("docker create -v ~/.ssh:/k x", "b*:~/.ssh");
    files("docker compose run -v /etc:/x web sh", "b*:/etc");
    files("podman run -v /etc:/x y", "b*:/etc");
    files("docker cp web:/x ./y", "r*?:web:/x b*?:./y");
    files("docker save -o x.tar img", "w:x.tar");
    files("docker build -f D -o out .", "r:D w:out r*:.");
    files("docker compose config -o x", "w:x");
    files("kubectl get pods --kubeconfig=/tmp/k", "r:/tmp/k");
    files("kubectl apply -f x.yml", "r:x.yml");
    files("kubectl get pods -o go-template-file=t.tpl", "r:t.tpl");
    files("kubectl get pods --profile-output=/etc/x", "w:/etc/x");
    files("gh api x -F body=@notes.md", "r:notes.md");
    files("gh api x -f body=@notes.md", "");
    files("gh api x --input f", "r*?:f");
    files("gh release download -D out", "w*:out");
    files("aws ec2 describe-instances --filters file:///etc/passwd", "r:/etc/passwd");
    files("aws s3 cp /etc/passwd s3://b", "r*?:/etc/passwd b*?:s3://b");
    files("gcloud projects list --flags-file=x", "r:x");
    files("psql -f x.sql -o out", "r:x.sql w:out");
    files("sqlite3 x.db .dump", "b:x.db");
    files("terraform plan -out=x", "w:x");
    files("npm --userconfig /tmp/x ls", "r:/tmp/x");
    files("pip --log=x list", "w:x");
    files("cargo build --target-dir /tmp/x", "w*:/tmp/x");
    files("cargo fmt -- src/x.rs", "b*?:src/x.rs");
    files("go build -o bin/x", "w:bin/x");
    files("go test -coverprofile=c.out ./pkg", "w:c.out r*?:./pkg");
    files("gcc -o x a.c", "w:x r*?:a.c");
    files("gcc -Iinclude a.c", "r*:include r*?:a.c");
    files("make -f other.mk", "r:other.mk");
    files("pytest tests/x.py", "r*?:tests/x.py");
    files("pytest --junitxml=x.xml", "w:x.xml");
    files("pytest --cov --cov-report=html:/tmp/x", "w*:/tmp/x");
    files("ruff check src", "r:src");
    files("ruff check --fix src", "b:src");
    files("ruff format src", "b:src");
    files("ruff format --check src", "r:src");
    files("black src", "b:src");
    files("black --check src", "r:src");
    files("prettier --check src", "r:src");
    files("prettier --write src", "b:src");
    files("eslint --fix src", "b:src");
    files("eslint src -o out", "w:out r:src");
    files("gofmt -w a.go", "b:a.go");
    files("gofmt -l a.go", "r:a.go");
    files("tsc --outDir out -p x", "w*:out r:x");
    files("javac -d out X.java", "w*:out r:X.java");
    files("shellcheck a.sh", "r:a.sh");
    files("virtualenv venv", "w*:venv");
}

#[test]
fn what_is_asked_over_the_network() {
    fetches("gh api repos/a/b", "GET [https]https://api.github.com/repos/a/b");
    fetches("gh api /user", "GET [https]https://api.github.com/user");
    fetches(
        "gh api repos/acme/shop/issues -f title=hello",
        "POST [https]https://api.github.com/repos/acme/shop/issues",
    );
    fetches("gh api -XDELETE x", "DELETE [https]https://api.github.com/x");
    fetches("gh api -X delete x", "DELETE [https]https://api.github.com/x");
    fetches("gh api x -F=body=@notes.md", "POST [https]https://api.github.com/x");
    fetches("gh api x --input f", "POST [https]https://api.github.com/x");
    fetches("gh api x -f a=b -X GET", "GET [https]https://api.github.com/x");
    fetches("gh api graphql -f query=x", "POST [https]https://api.github.com/graphql");
    fetches("gh api --hostname h x", "GET [https]https://h/x");
    fetches("gh api https://evil.com/x", "GET [https]https://evil.com/x");
    fetches("gh api -X $m x", "[https]https://api.github.com/x");
    fetches("gh api x $more", "[https]https://api.github.com/x");
    fetches("docker -H tcp://evil:2375 ps", "[http]tcp://evil:2375");
    fetches("kubectl get pods -s https://x", "[http]https://x");
    fetches("aws s3 ls --endpoint-url https://x", "[http]https://x");
    fetches("pip list --index-url http://x", "[http]http://x");
    fetches("npm ls --registry=http://x", "[http]http://x");
    fetches("psql -h db", "db");
    for line in [
        "npm install",
        "docker pull x",
        "gh pr list",
        "kubectl get pods",
        "pip install x",
        "cargo publish",
        "aws s3 ls",
    ] {
        assert!(of(line).unknown_fetches, "{line}");
    }
    for line in ["npm test", "docker ps", "cargo build", "pip list", "make"] {
        assert!(!of(line).unknown_fetches, "{line}");
    }
}

#[test]
fn what_runs_inside() {
    runs("docker exec web rm -rf x", "far: rm -rf x");
    runs("docker exec -it -u root web sh -c 'rm x'", "far: sh -c rm x");
    runs("docker run --rm -it -v /:/h ubuntu rm -rf /h", "far: rm -rf /h");
    runs("docker run --entrypoint=sh ubuntu -c x", "sh + | far: -c x");
    runs("docker compose exec -T web rm x", "far: rm x");
    runs("docker compose run --rm web rm x", "far: rm x");
    runs("docker container exec web rm x", "far: rm x");
    runs("docker-compose exec web rm x", "far: rm x");
    runs("podman exec web rm x", "far: rm x");
    runs("nerdctl exec web rm x", "far: rm x");
    runs("kubectl exec web -- rm x", "far: rm x");
    runs("kubectl exec -it web -c app -- rm -rf x", "far: rm -rf x");
    runs("kubectl -n p exec web -- sh -c 'rm x'", "far: sh -c rm x");
    runs("kubectl run x --image=y -- rm x", "far: rm x");
    runs("npm exec tsc --noEmit", "tsc --noEmit");
    runs("npm exec -- tsc --noEmit", "tsc --noEmit");
    runs("npm exec -c 'rm x'", "sh: rm x");
    runs("pnpm dlx x y", "x y");
    runs("pnpm exec tsc -p .", "tsc -p .");
    runs("yarn dlx x", "x");
    runs("yarn exec x", "x");
    runs("uv run pytest -q", "pytest -q");
    runs("uv run --with x pytest -q", "pytest -q");
    runs("uv tool run ruff check", "ruff check");
    runs("poetry run pytest -q", "pytest -q");
    runs("conda run -n env pytest", "pytest");
    runs("bundle exec rspec x", "rspec x");
    runs("rustup run nightly cargo test", "cargo test");
    runs("go test -exec ./wrap ./...", "sh: ./wrap");
    runs("go vet -vettool=./x", "./x +");
    runs("cmake -E rm -rf x", "rm -rf x");
    runs("cmake -P x.cmake", "file: x.cmake");
    runs("hyperfine 'rm x' ls", "sh: rm x | sh: ls");
    runs("java -jar x.jar a", "file: x.jar");
    runs("psql -c 'drop table x'", "code: drop table x");
    runs("sqlite3 x.db .dump", "code: .dump");
    runs("gh pr view -w", "?");
    runs("kubectl get pods", "");
    runs("make test", "");
    runs("npm test", "");
    runs("cargo test -- --nocapture", "");
}

#[test]
fn global_options_do_not_hide_the_sub_command() {
    for (line, subcommand) in [
        ("kubectl --context prod delete deploy web", "delete"),
        ("kubectl -n p --kubeconfig=x delete deploy web", "delete"),
        ("docker -H x --debug rm web", "rm"),
        ("docker compose -f x -p y down", "compose down"),
        ("npm --prefix web publish", "publish"),
        ("npm -C web --silent run test", "run test"),
        ("cargo +nightly publish", "publish"),
        ("cargo -q --offline publish", "publish"),
        ("terraform -chdir=x apply", "apply"),
        ("aws --profile p --region r s3 rm s3://x", "s3 rm"),
        ("gh --version pr list", "pr list"),
        ("pip --python x install y", "install"),
        ("uv --directory x sync", "sync"),
        ("helm --kube-context c upgrade a b", "upgrade"),
        ("hg --cwd x push", "push"),
        ("svn --username a commit", "commit"),
        ("make -C x install", ""),
        ("make -C x test", "test"),
    ] {
        let words = words(line);
        let parsed = sort_words(&words);
        let found: Vec<String> = parsed.subcommand.iter().map(|i| words[*i].shown()).collect();
        assert_eq!(found.join(" "), subcommand, "{line}");
    }
}

#[test]
fn refusals_name_the_command_as_written() {
    let refused = |line: &str| match of(line).read_only {
        Claim::No(reason) => reason,
        Claim::Yes => "nothing".into(),
    };
    assert_eq!(refused("docker stop web"), "`docker stop` is not in the table of read-only commands");
    assert_eq!(refused("npm i"), "it changes files");
    assert_eq!(refused("kubectl get pods --user evil"), "`--user` is not harmless");
}
