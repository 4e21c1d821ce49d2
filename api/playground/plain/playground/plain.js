// The plain page: lists the examples, runs a query, shows the answer. Every text is set as text, never as HTML.

const byId = (id) => document.getElementById(id);
const at = (path) => new URL(path, document.baseURI);

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

async function ask(query, variables) {
  const response = await fetch(at("graphql"), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/graphql-response+json, application/json" },
    body: JSON.stringify({ query, variables }),
  });
  return { ok: response.ok, status: response.status, body: await response.json() };
}

function say(text, kind = "soft") {
  byId("status").textContent = text;
  byId("status").className = kind;
}

let running = 0;

async function run() {
  const mine = ++running;
  const text = byId("variables").value.trim();
  let variables = null;
  try {
    variables = text ? JSON.parse(text) : null;
  } catch (error) {
    say(`The variables are not JSON: ${error.message}`, "bad");
    byId("variables").focus();
    return;
  }
  say("Asking…");
  const started = performance.now();
  try {
    const { body, status } = await ask(byId("query").value, variables);
    if (mine !== running) return;
    const took = Math.round(performance.now() - started);
    byId("result").textContent = JSON.stringify(body, null, 2);
    const errors = body.errors?.length ?? 0;
    say(errors ? `${errors} error${errors > 1 ? "s" : ""} (HTTP ${status}), ${took} ms` : `Answered in ${took} ms`, errors ? "bad" : "good");
  } catch (error) {
    if (mine === running) say(`The server could not be reached: ${error.message}`, "bad");
  }
}

function put(example, button) {
  byId("query").value = example.query;
  byId("variables").value = example.variables;
  for (const other of document.querySelectorAll(".example")) other.removeAttribute("aria-current");
  button?.setAttribute("aria-current", "true");
}

function listExamples(examples) {
  const groups = new Map();
  for (const example of examples) {
    if (!groups.has(example.group)) {
      const list = element("ul", { className: "plain" });
      groups.set(example.group, list);
      byId("examples").append(element("h3", { textContent: example.group }), list);
    }
    const button = element("button", { type: "button", className: "example", textContent: example.title });
    button.addEventListener("click", () => {
      put(example, button);
      run();
      byId("answer").scrollIntoView({ block: "nearest" });
    });
    groups.get(example.group).append(element("li", {}, button));
  }
  put(examples[0], document.querySelector(".example"));
}

function listClients(clients) {
  const address = at("mcp").href;
  for (const client of clients) {
    const way = client.transport === "http" ? "over HTTP" : "over stdio";
    byId("connect").append(
      element(
        "details",
        {},
        element("summary", { textContent: `${client.name}, ${way}` }),
        element("p", { className: "soft", textContent: `Into ${client.place}:` }),
        element("pre", { tabIndex: 0, textContent: client.text.replaceAll("{{url}}", address) }),
      ),
    );
  }
}

async function listSources() {
  const { body } = await ask("{ sources { title description state message counts { kind count } licences { name } } }");
  if (!body.data?.sources) {
    byId("sources").append(element("p", { className: "bad", textContent: "The sources could not be listed." }));
    return;
  }
  for (const source of body.data.sources) {
    const state = source.state.toLowerCase().replaceAll("_", " ");
    const counts = source.counts.map(({ kind, count }) => `${kind}: ${count.toLocaleString("en")}`).join(", ");
    const licences = source.licences.map(({ name }) => name).join(", ");
    byId("sources").append(
      element(
        "div",
        { className: "source" },
        element("strong", { textContent: source.title }),
        " ",
        element("span", { className: source.state === "READY" ? "good" : "bad", textContent: state }),
        element("p", { textContent: source.message ?? source.description }),
        element("p", { className: "soft", textContent: [counts, licences].filter(Boolean).join(" · ") }),
      ),
    );
  }
}

byId("run").addEventListener("click", run);
for (const id of ["query", "variables"]) {
  byId(id).addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
}

const { examples, clients } = await (await fetch(at("playground/content.json"))).json();
listExamples(examples);
listClients(clients);
const asked = new URLSearchParams(location.search);
if (asked.has("query")) put({ query: asked.get("query"), variables: asked.get("variables") ?? "" });
await listSources();
