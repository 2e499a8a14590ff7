import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';

/** A set of sources, and words that its document must show. */
interface SourceSet {
  name: string;
  files: () => Promise<Record<string, string | Uint8Array>>;
  words: string[];
}

const ROOT = join(import.meta.dirname, '../..');
const inline = (files: Record<string, string | Uint8Array>) => () => Promise.resolve(files);

/** Returns a log of about the given size; all its lines differ. */
function bigLog(bytes: number): string {
  const lines: string[] = [];
  let size = 0;
  for (let index = 0; size < bytes; index++) {
    const stamp = new Date(1_700_000_000_000 + index * 137).toISOString();
    const line = `${stamp} worker-${index % 17} INFO  request=${(index * 2_654_435_761) % 4_294_967_296} took ${index % 997} ms`;
    lines.push(line);
    size += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

/** Returns a minimal Word file with the given paragraphs. */
function wordFile(paragraphs: string[]): Uint8Array {
  const xml = (text: string) => new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  const body = paragraphs
    .map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`)
    .join('');
  return zipSync({
    '[Content_Types].xml': xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': xml(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  });
}

const notebook = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    {
      cell_type: 'markdown',
      metadata: {},
      source: ['# Demand forecast\n', '\n', 'Weekly parcels per depot.'],
    },
    {
      cell_type: 'code',
      metadata: {},
      execution_count: 1,
      source: ['import math\n', 'print(math.sqrt(2))'],
      outputs: [],
    },
  ],
});

/** An e-mail with quoted-printable words and an attachment. */
const EMAIL = [
  'From: =?UTF-8?Q?Zo=C3=AB_Lind?= <zoe@example.org>',
  'Date: Tue, 3 Mar 2026 10:12:00 +0100',
  'Subject: Rates of *today*',
  'Content-Type: multipart/mixed; boundary="part"',
  '',
  '--part',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Attached =E2=80=93 for the depots.',
  '--part',
  'Content-Type: text/csv',
  'Content-Disposition: attachment; filename="rates.csv"',
  '',
  'depot;price',
  'north;10',
  '--part--',
  '',
].join('\r\n');

/** Returns ten varied sets, written for this purpose or part of the project; one contains a log of `logMegabytes`. */
export function sourceSets(logMegabytes: number): SourceSet[] {
  return [...setsOfText(logMegabytes), ...setsOfFormats(), ...setsOfCode()];
}

function setsOfText(logMegabytes: number): SourceSet[] {
  return [
    {
      name: 'a log of many megabytes',
      files: inline({ 'worker.log': bigLog(logMegabytes * 1024 * 1024) }),
      words: ['worker-16 INFO'],
    },
    {
      name: 'Chinese, Japanese and Korean notes',
      files: inline({
        '会议记录.md':
          '# 会议记录\n\n## 决定\n\n数据库将于三月十二日迁移。联系人：王伟。\n\n```sql\nSELECT 名称 FROM 部门;\n```\n',
        'メモ.txt': '障害報告\n\n印刷サービスが停止しました。\n再起動で復旧しました。\n',
        '보고서.md': '# 보고서\n\n모든 라벨이 인쇄되었습니다.\n',
      }),
      words: ['数据库将于三月十二日迁移', '再起動で復旧しました', '모든 라벨이', 'SELECT 名称 FROM 部门;'],
    },
    {
      name: 'right-to-left text',
      files: inline({
        'تقرير.md':
          '# تقرير الحادث\n\nتوقفت خدمة الطباعة عند الساعة 03:12.\n\n- السبب: مجموعة الاتصالات\n- الحل: العودة إلى 4.17.3\n',
        'דוח.txt': 'דוח תקלה\n\nהשירות חזר לפעול בשעה 04:20.\n',
      }),
      words: ['توقفت خدمة الطباعة', 'השירות חזר לפעול'],
    },
    {
      name: 'nested fences and tildes',
      files: inline({
        'how-to.md':
          '# How to write fences\n\n````markdown\n```js\nconst a = `x`;\n```\n````\n\n~~~~\n```\n~~~\n~~~~\n\n> ~~~ sh\n> ls -la\n> ~~~\n\n1. item\n\n   ```py\n   print("in a list")\n   ```\n',
        'raw.txt': 'Some notes.\n\n```\nnot closed\n',
        'ticks.sh': 'echo "```````"\necho ~~~~\n',
      }),
      words: ['const a = `x`;', 'print(\\"in a list\\")'.replace(/\\/g, ''), 'echo ~~~~'],
    },
    {
      name: 'CRLF and tabs',
      files: inline({
        'windows.ini': '[server]\r\nport =\t8080\r\n\r\n[paths]\r\nroot = C:\\data  \r\n',
        'notes.md': '# Windows\r\n\r\nInstalled by hand.\r\n\r\n```bat\r\ncd\tC:\\data\r\ndir\r\n```\r\n',
        Makefile: 'all:\n\techo hello\n\n\techo "two  blanks"\t\n',
      }),
      words: ['port =\t8080', '\techo hello', 'cd\tC:\\data'],
    },
  ];
}

function setsOfFormats(): SourceSet[] {
  return [
    {
      name: 'an image that no text places',
      files: inline({
        'notes.md': '# Depots\n\nFourteen of them.\n',
        'architecture.png': readFileSync(join(ROOT, 'examples/handover/architecture.png')),
      }),
      words: ['Attachments', 'architecture.png'],
    },
    {
      name: 'Word, HTML and notebook documents, an e-mail, columns of plain text',
      files: inline({
        'contract.docx': wordFile([
          'Scope of work',
          'The vendor delivers 14 depots by 3 April.',
          'Price: 1,200 EUR &amp; VAT',
        ]),
        'page.html':
          '<html><head><title>Status</title><script>track()</script></head><body><h1>Status page</h1><p>All <b>systems</b> work.</p><table><tr><th>Depot</th><th>State</th></tr><tr><td>North</td><td>up</td></tr></table></body></html>',
        'forecast.ipynb': notebook,
        'rates.eml': EMAIL,
        'stock.txt': 'Depot        Boxes\nNorth           14\n\nSouth            9\n',
      }),
      words: [
        '14 depots by 3 April',
        'Status page',
        'print(math.sqrt(2))',
        'Rates of *today*',
        'Zoë Lind <zoe@example.org>',
        'north;10',
        'South            9',
      ],
    },
    {
      name: 'data: CSV, TSV, JSON, SQL, YAML',
      files: inline({
        'rates.csv': 'zone,weight,price\n1,2kg,"4,90"\n2,5kg,"7,50 ""net"""\n',
        'hosts.tsv': 'host\tip\nalpha\t10.0.0.1\n',
        'config.json': '{"a": [1, 2, {"b": null}], "text": "x < y & z"}',
        'schema.sql': 'CREATE TABLE depot (\n  id integer PRIMARY KEY, -- key\n  name text NOT NULL\n);\n',
        'values.yaml': 'pool:\n  max: 8\n  names: ["a", \'b\']\n',
      }),
      words: ['CREATE TABLE depot (', '  max: 8', 'x < y & z'],
    },
  ];
}

function setsOfCode(): SourceSet[] {
  return [
    {
      name: 'reStructuredText, LaTeX and AsciiDoc',
      files: inline({
        'guide.rst':
          'Guide\n=====\n\nSee :ref:`intro`.\n\n.. code-block:: python\n\n   print(1)\n\n* one\n* two\n',
        'paper.tex':
          '\\section{Model}\nWe use $x^2 + y_1$ and 100\\% of the data.\n\\begin{itemize}\n\\item First\n\\end{itemize}\n',
        'manual.adoc': '= Manual\n\n== Start\n\nRun `make all`.\n\n----\n$ make all\n----\n',
      }),
      words: ['100\\\\% of the data'.replace('\\\\', '\\'), '$ make all'],
    },
    {
      name: 'code of many languages',
      files: () =>
        Promise.resolve({
          'fences.ts': readFileSync(join(ROOT, 'libs/markdown/fences.ts')),
          'schema.prisma': readFileSync(join(ROOT, 'prisma/schema.prisma')),
          'main.go': 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hi")\n}\n',
          'lib.rs': "pub fn add<'a>(a: &'a i32, b: i32) -> i32 {\n    a + b\n}\n",
          'run.ps1': 'Get-ChildItem -Path C:\\ | Where-Object { $_.Length -gt 1kb }\n',
          Dockerfile: 'FROM debian:12\nRUN apt-get update \\\n && apt-get install -y curl\n',
        }),
      words: ['fmt.Println(', 'FROM debian:12'],
    },
    {
      name: 'links to files, with points and brackets behind them',
      files: inline({
        'a.md':
          'Follow the [code of conduct](./b.html). Or ([not][n])!\n\n- [`agent`](b.html#x): small[^1]\n\n| who | [where](a.md), |\n| --- | --- |\n| x | [un](b.html)happy |\n\n[^1]: See [this](b.html).\n\n[n]: a.md\n',
        'b.html': '<p>See <a href="./a.md">the figures</a>, <a href="a.md">all</a>.</p>\n',
      }),
      words: ['code of conduct', 'the figures'],
    },
    {
      name: 'the hand-over example with its images',
      files: () => import('./examples.js').then(({ exampleFiles }) => exampleFiles('handover')),
      words: ['rate-card'],
    },
  ];
}
