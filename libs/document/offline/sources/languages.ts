/** Extensions that are also labels of languages in highlighters (GitHub Linguist, highlight.js). */
const SAME_AS_EXTENSION = new Set(
  (
    'ada asciidoc asm awk bash bat c cmake conf cpp css csv dart diff dockerfile dot fish go graphql groovy hcl html ' +
    'ini java js json json5 jsonc jsx less lisp log lua mdx mermaid nginx nix org php po prisma promql properties pug ' +
    'r rst sass scala scss sql svelte swift tcl toml ts tsv tsx vim vue wiki xml yaml zig zsh'
  ).split(' '),
);

/** Further extensions, by label. */
const EXTENSIONS: Record<string, string> = {
  asciidoc: 'adoc',
  bash: 'sh',
  bat: 'cmd',
  bibtex: 'bib',
  c: 'h',
  clojure: 'clj',
  console: 'typed typescript',
  cpp: 'cc cxx hpp',
  csharp: 'cs',
  diff: 'patch',
  dotenv: 'env',
  elixir: 'ex exs',
  erlang: 'erl',
  fortran: 'f90',
  fsharp: 'fs',
  graphql: 'gql',
  groovy: 'gradle',
  haskell: 'hs',
  hcl: 'tf tfvars',
  html: 'ejs htm xhtml',
  ini: 'cfg service',
  js: 'cjs mjs',
  json: 'geojson har ipynb jsonl ndjson',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'ltx tex',
  makefile: 'mk',
  mermaid: 'mmd',
  objectivec: 'm',
  ocaml: 'ml',
  pascal: 'pas',
  perl: 'pl pm',
  plantuml: 'puml',
  powershell: 'ps1',
  protobuf: 'proto',
  puppet: 'pp',
  python: 'py pyi',
  ruby: 'rb',
  rust: 'rs',
  solidity: 'sol',
  sql: 'psql',
  text: 'err ics lock out',
  ts: 'cts mts',
  vbnet: 'vb',
  verilog: 'v',
  vhdl: 'vhd',
  xml: 'plist svg wsdl xsd xsl',
  yaml: 'yml',
};

/** Whole file names, by label. */
const NAMES: Record<string, string> = {
  bash: '.bashrc .profile',
  caddyfile: 'caddyfile',
  cmake: 'cmakelists.txt',
  crontab: 'crontab',
  dockerfile: 'containerfile dockerfile',
  dotenv: '.env',
  gitignore: '.gitignore',
  go: 'go.mod',
  groovy: 'jenkinsfile',
  ini: '.editorconfig .npmrc',
  makefile: 'gnumakefile makefile',
  nginx: 'nginx.conf',
  ruby: 'gemfile rakefile vagrantfile',
  text: 'codeowners requirements.txt robots.txt',
  yaml: 'procfile',
  zsh: '.zshrc',
};

const LABEL_BY_EXTENSION = labelByWord(EXTENSIONS);
const LABEL_BY_NAME = labelByWord(NAMES);

/** Extensions for which the content decides, because the name says little. */
const UNDECIDED = new Set(['conf', 'out', 'err', 'lock']);

/** Name without path, in lower case. */
function baseName(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).toLowerCase();
}

/** `''` for a name without an extension. */
export function extensionOf(file: string): string {
  const name = baseName(file);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

/** Returns the language of a file by its name; `sure` is false if the content may be more reliable. */
export function languageByName(file: string): { language: string; sure: boolean } | null {
  const name = baseName(file);
  const named =
    LABEL_BY_NAME.get(name) ??
    (name.startsWith('.env.') ? 'dotenv' : undefined) ??
    (name.startsWith('dockerfile.') ? 'dockerfile' : undefined);
  if (named !== undefined) return { language: named, sure: true };
  if (name.includes('nginx') && name.endsWith('.conf')) return { language: 'nginx', sure: true };
  const extension = extensionOf(file);
  // Rotated logs: app.log.1, app.log.2024-03-12
  if (/\.log\.[\w.-]+$/.test(name)) return { language: 'log', sure: true };
  const language = SAME_AS_EXTENSION.has(extension) ? extension : LABEL_BY_EXTENSION.get(extension);
  return language === undefined ? null : { language, sure: !UNDECIDED.has(extension) };
}

/** Maps each word of the lists to the label of its list. */
function labelByWord(lists: Record<string, string>): Map<string, string> {
  const labels = new Map<string, string>();
  for (const [label, words] of Object.entries(lists)) {
    for (const word of words.split(' ')) labels.set(word, label);
  }
  return labels;
}
