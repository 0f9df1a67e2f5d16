//! The engines, each with the formulation of the rules that its own documents suggest, and with the fastest one found.
//!
//! The rules are prefix globs, the shape for which every peer has a plain string function. What a call needs is built before
//! the clock starts, wherever the engine lets it be.

use std::fmt::Write as _;
use std::sync::Arc;

use casbin::{CoreApi as _, DefaultModel, Enforcer, MgmtApi as _};
use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request, RestrictedExpression,
};
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::RegoVM;
use tool_policy::{Call, Format, NoDisk, Policy, Surroundings, Verdict};
use tool_policy_benches::Clock;
use tool_policy_benches::policies::{Shape, denies, toml};

/// Something that decides about calls by name.
pub trait Engine {
    /// Whether the tool with this name is allowed; `None` for an error.
    fn allows(&mut self, name: &str) -> Option<bool>;
    /// Seconds for one decision, over tools with these names.
    fn measure(&mut self, names: &[String]) -> f64;
}

type Load = fn(usize) -> Option<Box<dyn Engine>>;

/// All of them, ours first.
pub const ALL: [(&str, Load); 9] = [
    ("tool-policy", |rules| Ours::load(&toml(rules, Shape::Prefix)).map(boxed)),
    ("cedar-policy, a policy for each rule", |rules| Cedar::load(&cedar_rules(rules)).map(boxed)),
    ("cedar-policy, two policies", |rules| Cedar::load(&cedar_two(rules)).map(boxed)),
    ("regorus, a rule for each rule", |rules| Rego::load(&rego_rules(rules)).map(boxed)),
    ("regorus, compiled (RVM), a rule for each rule", |rules| Rvm::load(&rego_rules(rules)).map(boxed)),
    ("regorus, compiled (RVM), lists of prefixes", |rules| Rvm::load(&rego_lists(rules)).map(boxed)),
    ("casbin, `keyMatch`", |rules| Casbin::load(rules).map(boxed)),
    ("cel, one expression", |rules| Cel::load(&cel_whole(rules), rules).map(boxed)),
    ("cel, lists of prefixes", |rules| Cel::load(CEL_LISTS, rules).map(boxed)),
];

fn boxed(engine: impl Engine + 'static) -> Box<dyn Engine> {
    Box::new(engine)
}

/// Seconds for one item.
fn clock<T, R>(items: Vec<T>, mut work: impl FnMut(T) -> R) -> f64 {
    let count = items.len() as f64;
    let start = Clock::now();
    for item in items {
        std::hint::black_box(work(std::hint::black_box(item)));
    }
    start.elapsed().as_secs_f64() / count
}

fn prefix(rule: usize) -> String {
    format!("svc{rule:05}_")
}

/// What `write` says of each rule that denies, and of each that does not.
fn split(rules: usize, write: impl Fn(String) -> String, between: &str) -> (String, String) {
    let of = |deny: bool| {
        (0..rules)
            .filter(|rule| denies(*rule, rules) == deny)
            .map(|rule| write(prefix(rule)))
            .collect::<Vec<_>>()
            .join(between)
    };
    (of(true), of(false))
}

pub struct Ours(Policy);

impl Ours {
    pub fn load(text: &str) -> Option<Self> {
        Policy::parse("policy.toml", Format::Toml, text).ok().map(Self)
    }

    pub fn call(name: &str) -> Call {
        Call::new(name)
    }

    pub fn judge(&self, call: &Call) -> Verdict {
        self.0.evaluate(call, &Surroundings::new(&NoDisk))
    }
}

impl Engine for Ours {
    fn allows(&mut self, name: &str) -> Option<bool> {
        Some(self.judge(&Self::call(name)).is_allowed())
    }

    fn measure(&mut self, names: &[String]) -> f64 {
        let calls: Vec<_> = names.iter().map(|name| Self::call(name)).collect();
        clock(calls.iter().collect(), |call| self.judge(call))
    }
}

struct Cedar {
    policies: PolicySet,
    authorizer: Authorizer,
    entities: Entities,
    ids: [EntityUid; 3],
}

fn cedar_rules(rules: usize) -> String {
    let mut text = String::new();
    for rule in 0..rules {
        let effect = if denies(rule, rules) { "forbid" } else { "permit" };
        writeln!(
            text,
            "{effect}(principal, action, resource) when {{ context.tool like \"{}*\" }};",
            prefix(rule)
        )
        .expect("it can be written");
    }
    text
}

fn cedar_two(rules: usize) -> String {
    let (deny, allow) = split(rules, |p| format!("context.tool like \"{p}*\""), " || ");
    format!(
        "forbid(principal, action, resource) when {{ {deny} }};\npermit(principal, action, resource) when {{ {allow} }};\n"
    )
}

impl Cedar {
    fn load(text: &str) -> Option<Self> {
        let id = |text: &str| text.parse::<EntityUid>().ok();
        Some(Self {
            policies: text.parse().ok()?,
            authorizer: Authorizer::new(),
            entities: Entities::empty(),
            ids: [id("User::\"agent\"")?, id("Action::\"call\"")?, id("Tool::\"any\"")?],
        })
    }

    fn request(&self, name: &str) -> Request {
        let [principal, action, resource] = self.ids.clone();
        let tool = ("tool".to_owned(), RestrictedExpression::new_string(name.to_owned()));
        let context = Context::from_pairs([tool]).expect("a context can be made");
        Request::new(principal, action, resource, context, None).expect("a request can be made")
    }
}

impl Engine for Cedar {
    fn allows(&mut self, name: &str) -> Option<bool> {
        let response = self.authorizer.is_authorized(&self.request(name), &self.policies, &self.entities);
        (response.diagnostics().errors().next().is_none()).then(|| response.decision() == Decision::Allow)
    }

    fn measure(&mut self, names: &[String]) -> f64 {
        let requests: Vec<_> = names.iter().map(|name| self.request(name)).collect();
        clock(requests, |request| self.authorizer.is_authorized(&request, &self.policies, &self.entities))
    }
}

const REGO_HEAD: &str =
    "package tools\nimport rego.v1\ndefault allow := false\nallow if { allowed; not denied }\n";

fn rego_rules(rules: usize) -> String {
    let mut text = REGO_HEAD.to_owned();
    for rule in 0..rules {
        let name = if denies(rule, rules) { "denied" } else { "allowed" };
        writeln!(text, "{name} if startswith(input.tool, \"{}\")", prefix(rule)).expect("it can be written");
    }
    text
}

fn rego_lists(rules: usize) -> String {
    let (deny, allow) = split(rules, |p| format!("\"{p}\""), ", ");
    format!(
        "{REGO_HEAD}denials := [{deny}]\nallows := [{allow}]\n\
         denied if {{ some p in denials; startswith(input.tool, p) }}\nallowed if {{ some p in allows; startswith(input.tool, p) }}\n"
    )
}

fn rego_inputs(names: &[String]) -> Vec<regorus::Value> {
    names.iter().map(|name| rego_input(name)).collect()
}

fn rego_input(name: &str) -> regorus::Value {
    let key = regorus::Value::String("tool".into());
    regorus::Value::from(std::collections::BTreeMap::from([(key, regorus::Value::String(name.into()))]))
}

struct Rego(regorus::Engine);

impl Rego {
    fn load(text: &str) -> Option<Self> {
        let mut engine = regorus::Engine::new();
        engine.add_policy("tools.rego".to_owned(), text.to_owned()).ok()?;
        let mut own = Self(engine);
        // The first evaluation prepares the policy.
        own.decide(rego_input("nothing"))?;
        Some(own)
    }

    fn decide(&mut self, input: regorus::Value) -> Option<bool> {
        self.0.set_input(input);
        self.0.eval_rule("data.tools.allow".to_owned()).ok()?.as_bool().ok().copied()
    }
}

impl Engine for Rego {
    fn allows(&mut self, name: &str) -> Option<bool> {
        self.decide(rego_input(name))
    }

    fn measure(&mut self, names: &[String]) -> f64 {
        clock(rego_inputs(names), |input| self.decide(input))
    }
}

struct Rvm(RegoVM);

impl Rvm {
    fn load(text: &str) -> Option<Self> {
        let mut engine = regorus::Engine::new();
        engine.add_policy("tools.rego".to_owned(), text.to_owned()).ok()?;
        let entry = "data.tools.allow";
        let compiled = engine.compile_with_entrypoint(&entry.into()).ok()?;
        let program = Compiler::compile_from_policy(&compiled, &[entry]).ok()?;
        let mut vm = RegoVM::new();
        vm.load_program(program);
        Some(Self(vm))
    }

    fn decide(&mut self, input: regorus::Value) -> Option<bool> {
        self.0.set_input(input);
        self.0.execute().ok()?.as_bool().ok().copied()
    }
}

impl Engine for Rvm {
    fn allows(&mut self, name: &str) -> Option<bool> {
        self.decide(rego_input(name))
    }

    fn measure(&mut self, names: &[String]) -> f64 {
        clock(rego_inputs(names), |input| self.decide(input))
    }
}

const CASBIN_MODEL: &str = "
[request_definition]
r = tool
[policy_definition]
p = tool, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = keyMatch(r.tool, p.tool)
";

struct Casbin(Enforcer);

impl Casbin {
    fn load(rules: usize) -> Option<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().ok()?;
        runtime.block_on(async {
            let model = DefaultModel::from_str(CASBIN_MODEL).await.ok()?;
            let mut enforcer = Enforcer::new(model, casbin::MemoryAdapter::default()).await.ok()?;
            let effect = |rule| if denies(rule, rules) { "deny" } else { "allow" }.to_owned();
            let all = (0..rules).map(|rule| vec![format!("{}*", prefix(rule)), effect(rule)]).collect();
            enforcer.add_policies(all).await.ok()?;
            Some(Self(enforcer))
        })
    }
}

impl Engine for Casbin {
    fn allows(&mut self, name: &str) -> Option<bool> {
        self.0.enforce((name,)).ok()
    }

    fn measure(&mut self, names: &[String]) -> f64 {
        clock(names.iter().map(String::as_str).collect(), |name| self.0.enforce((name,)))
    }
}

const CEL_LISTS: &str = "allows.exists(p, tool.startsWith(p)) && !denials.exists(p, tool.startsWith(p))";

fn cel_whole(rules: usize) -> String {
    let (deny, allow) = split(rules, |p| format!("tool.startsWith(\"{p}\")"), " || ");
    format!("({allow}) && !({deny})")
}

struct Cel {
    program: cel::Program,
    context: cel::Context<'static, 'static>,
}

impl Cel {
    fn load(text: &str, rules: usize) -> Option<Self> {
        let list = |deny: bool| {
            let prefixes = (0..rules)
                .filter(|rule| denies(*rule, rules) == deny)
                .map(|rule| cel::Value::String(Arc::new(prefix(rule))));
            cel::Value::List(Arc::new(prefixes.collect()))
        };
        let mut context = cel::Context::default();
        context.add_variable_from_value("denials", list(true));
        context.add_variable_from_value("allows", list(false));
        Some(Self { program: cel::Program::compile(text).ok()?, context })
    }

    fn decide(&self, name: cel::Value) -> Option<bool> {
        let mut scope = self.context.new_inner_scope();
        scope.add_variable_from_value("tool", name);
        match self.program.execute(&scope).ok()? {
            cel::Value::Bool(yes) => Some(yes),
            _ => None,
        }
    }
}

fn cel_name(name: &str) -> cel::Value {
    cel::Value::String(Arc::new(name.to_owned()))
}

impl Engine for Cel {
    fn allows(&mut self, name: &str) -> Option<bool> {
        self.decide(cel_name(name))
    }

    fn measure(&mut self, names: &[String]) -> f64 {
        clock(names.iter().map(|name| cel_name(name)).collect(), |name| self.decide(name))
    }
}
