import { languageByName } from './languages.js';

/** Extension and label. */
const EXTENSIONS = `
  ada:ada adoc:asciidoc asciidoc:asciidoc asm:asm awk:awk bash:bash bat:bat bib:bibtex c:c cc:cpp
  cfg:ini cjs:js clj:clojure cmake:cmake cmd:bat conf:conf cpp:cpp cs:csharp css:css csv:csv cts:ts
  cxx:cpp dart:dart diff:diff dockerfile:dockerfile dot:dot ejs:html env:dotenv erl:erlang err:text
  ex:elixir exs:elixir f90:fortran fish:fish fs:fsharp geojson:json go:go gql:graphql gradle:groovy
  graphql:graphql groovy:groovy h:c har:json hcl:hcl hpp:cpp hs:haskell htm:html html:html ics:text
  ini:ini ipynb:json java:java jl:julia js:js json:json json5:json5 jsonc:jsonc jsonl:json jsx:jsx
  kt:kotlin kts:kotlin less:less lisp:lisp lock:text log:log ltx:latex lua:lua m:objectivec mdx:mdx
  mermaid:mermaid mjs:js mk:makefile ml:ocaml mmd:mermaid mts:ts ndjson:json nginx:nginx nix:nix
  org:org out:text pas:pascal patch:diff php:php pl:perl plist:xml pm:perl po:po pp:puppet
  prisma:prisma promql:promql properties:properties proto:protobuf ps1:powershell psql:sql pug:pug
  puml:plantuml py:python pyi:python r:r rb:ruby rs:rust rst:rst sass:sass scala:scala scss:scss
  service:ini sh:bash sol:solidity sql:sql svelte:svelte svg:xml swift:swift tcl:tcl
  tex:latex tf:hcl tfvars:hcl toml:toml ts:ts tsv:tsv tsx:tsx typed:console typescript:console
  v:verilog vb:vbnet vhd:vhdl vim:vim vue:vue wiki:wiki wsdl:xml xhtml:html xml:xml xsd:xml
  xsl:xml yaml:yaml yml:yaml zig:zig zsh:zsh
`;
/** File name and label. */
const NAMES = `
  .bashrc:bash .editorconfig:ini .env:dotenv .gitignore:gitignore .npmrc:ini .profile:bash .zshrc:zsh
  caddyfile:caddyfile cmakelists.txt:cmake codeowners:text containerfile:dockerfile crontab:crontab
  dockerfile:dockerfile gemfile:ruby gnumakefile:makefile go.mod:go jenkinsfile:groovy
  makefile:makefile nginx.conf:nginx procfile:yaml rakefile:ruby requirements.txt:text robots.txt:text
  vagrantfile:ruby
`;
const entriesOf = (table: string) =>
  table
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string]);

describe('languageByName', () => {
  it('labels every known extension', () => {
    const labels = entriesOf(EXTENSIONS).map(([extension]) => [
      extension,
      languageByName(`a.${extension}`)?.language,
    ]);
    expect(labels).toEqual(entriesOf(EXTENSIONS));
  });

  it('labels every known file name, in any case and folder', () => {
    const labels = entriesOf(NAMES).map(([name]) => [name, languageByName(`docs/${name.toUpperCase()}`)]);
    expect(labels).toEqual(entriesOf(NAMES).map(([name, language]) => [name, { language, sure: true }]));
  });

  it.each(['conf', 'err', 'lock', 'out'])('returns no certain language for .%s', (extension) => {
    expect(languageByName(`a.${extension}`)).toMatchObject({ sure: false });
  });

  it.each(['a.unknown', 'a.constructor', 'constructor', 'notes'])('returns no language for %s', (file) => {
    expect(languageByName(file)).toBeNull();
  });
});
