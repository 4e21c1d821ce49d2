import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from "@graphiql/plugin-doc-explorer";
import { HISTORY_PLUGIN, HistoryStore } from "@graphiql/plugin-history";
import { GraphiQLProvider, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { GraphiQL, GraphiQLInterface } from "graphiql";
import { Kind, parse } from "graphql";
import "@graphiql/react/style.css";
import "@graphiql/plugin-doc-explorer/style.css";
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";

import { at, type Example } from "./server";

const fetcher = createGraphiQLFetcher({ url: at("graphql") });
const PLUGINS = [DOC_EXPLORER_PLUGIN, HISTORY_PLUGIN];
const OPENED_AT_FIRST = 3;

/** GraphiQL, with the examples beside it. `?query=` and `?variables=` in the address come before them. */
export function Query({ examples }: { examples: Example[] }) {
  const asked = new URLSearchParams(location.search);
  const first = examples.slice(0, OPENED_AT_FIRST);
  return (
    <GraphiQLProvider
      fetcher={fetcher}
      plugins={PLUGINS}
      referencePlugin={DOC_EXPLORER_PLUGIN}
      defaultTabs={first.map(({ query, variables }) => ({ query, variables }))}
      initialQuery={asked.get("query") ?? undefined}
      initialVariables={asked.get("variables") ?? undefined}
    >
      <HistoryStore>
        <DocExplorerStore>
          <Examples examples={examples} />
          <GraphiQLInterface>
            <GraphiQL.Logo>{null}</GraphiQL.Logo>
          </GraphiQLInterface>
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  );
}

function Examples({ examples }: { examples: Example[] }) {
  const { addTab, changeTab, run, setOperationFacts } = useGraphiQLActions();
  const tabs = useGraphiQL((state) => state.tabs);
  const active = useGraphiQL((state) => state.activeTabIndex);
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const groups = [...new Set(examples.map((example) => example.group))];

  function open({ query, variables }: Example) {
    if (!queryEditor) return;
    const held = tabs.findIndex((tab) => tab.query === query);
    if (held >= 0) {
      if (held !== active) changeTab(held);
    } else {
      addTab();
      queryEditor.setValue(query);
      variableEditor?.setValue(variables);
    }
    // GraphiQL reads the name of the operation a moment after the text changes; the run must not wait for it.
    const documentAST = parse(query);
    const operations = documentAST.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
    setOperationFacts({ documentAST, operations, operationName: operations[0]?.name?.value });
    void run();
  }

  return (
    <aside className="lore-examples" aria-label="Examples">
      {groups.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {examples
              .filter((example) => example.group === group)
              .map((example) => (
                <li key={example.key}>
                  <button
                    type="button"
                    disabled={!queryEditor}
                    aria-current={tabs[active]?.query === example.query ? "true" : undefined}
                    onClick={() => open(example)}
                  >
                    {example.title}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </aside>
  );
}
