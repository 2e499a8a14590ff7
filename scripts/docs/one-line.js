/** Draws docs/images/one-line.png: one line of the example in its source, in the manuscript and in the Word file. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = '03-shell-session.txt';
/** A line that occurs once in the document. */
const LINE = 'deployment.apps/label-api rolled back';
/** Lines shown before and after the line. */
const AROUND = 6;
const SIZE = { width: 1600, height: 470 };
/** Size of the part of the Word file, and its margin left of the line, in pixels. */
const WORD = { width: 500, height: 290, left: 24 };
const POINTS_PER_INCH = 72;
const DOTS_PER_INCH = 150;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the lines around line `at` (from 1) as HTML, with that line marked. */
const numbered = (lines, at) =>
  lines
    .slice(at - 1 - AROUND, at + AROUND)
    .map((text, index) => {
      const number = at - AROUND + index;
      return `<li value="${number}"${number === at ? ' class="line"' : ''}>${escaped(text) || '&nbsp;'}</li>`;
    })
    .join('');

/** Returns the manuscript's line that carries line `at` of the source, according to the ledger. */
function carriedAt(ledger, at) {
  const file = ledger.files.findIndex(({ name }) => name === SOURCE);
  const run = ledger.runs.find(
    ({ source, line, count }) => source === file && line <= at && at < line + count,
  );
  return run.manuscript_line + at - run.line;
}

/** Returns the part of the Word file's PDF around the line, as a data URL. */
function wordPicture(pdf) {
  const pages = execFileSync('pdftotext', ['-bbox', pdf, '-'], { encoding: 'utf8' }).split('<page ').slice(1);
  const [word] = LINE.split(' ');
  const page = pages.findIndex((text) => text.includes(`>${word}<`));
  const [, ...box] = new RegExp(`xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">${word}<`).exec(
    pages[page],
  );
  const [left, top, , bottom] = box.map((points) => (Number(points) / POINTS_PER_INCH) * DOTS_PER_INCH);
  const clip = {
    '-x': left - WORD.left,
    '-y': (top + bottom) / 2 - WORD.height / 2,
    '-W': WORD.width,
    '-H': WORD.height,
    '-f': page + 1,
    '-l': page + 1,
    '-r': DOTS_PER_INCH,
  };
  const options = Object.entries(clip).flatMap(([name, value]) => [name, `${Math.round(value)}`]);
  return `data:image/png;base64,${execFileSync('pdftoppm', ['-png', ...options, pdf]).toString('base64')}`;
}

const figure = (title, name, body) =>
  `<figure><figcaption><b>${title}</b> ${escaped(name)}</figcaption>${body}</figure>`;

/**
 * Returns the picture as PNG. Requires `pdftotext` and `pdftoppm`.
 *
 * @param page empty page of the browser
 * @param session session of the example document
 * @param pdf path of the PDF of its Word file
 */
export async function drawOneLine(page, api, session, examples, pdf) {
  const source = readFileSync(join(examples, 'incident', SOURCE), 'utf8').split('\n');
  const at = source.indexOf(LINE) + 1;
  const ledger = await api.get(`/api/sessions/${session}/ledger`);
  const manuscript = await api.text(`/api/sessions/${session}/manuscript`);
  const carried = carriedAt(ledger, at);
  await page.setViewportSize(SIZE);
  await page.setContent(`<!doctype html><style>
    body { margin: 0; padding: 28px; font: 17px "DejaVu Sans", sans-serif; color: #1c2430; background: #fff; }
    main { display: grid; grid-template-columns: minmax(0, 1fr) 40px minmax(0, 1fr) 40px minmax(0, 1fr); align-items: center; }
    figure { margin: 0; } figcaption { margin-bottom: 10px; color: #5a6675; } figcaption b { color: #1c2430; }
    ol, .word { margin: 0; height: 312px; box-sizing: border-box; padding: 11px 0 0 48px; overflow: hidden; border: 1px solid #cfd6df;
      border-radius: 8px; font: 13px/22px "DejaVu Sans Mono", monospace; white-space: pre; background: #fbfcfd; }
    li::marker { color: #8a94a3; } .line { background: #dbe4ff; outline: 2px solid #4263eb; border-radius: 3px; font-weight: bold; }
    .arrow { text-align: center; font-size: 26px; color: #4263eb; margin-top: 34px; }
    .word { padding: 0; position: relative; background: #fff; } .word img { position: absolute; left: 0; top: 10px; }
    .word i { position: absolute; left: 12px; right: 6px; top: ${10 + WORD.height / 2 - 10}px; height: 20px; border: 2px solid #4263eb; border-radius: 3px; background: #4263eb22; }
    p { margin: 22px 0 0; text-align: center; } code { font: 15px "DejaVu Sans Mono", monospace; background: #eef1f5; padding: 3px 7px; border-radius: 5px; }
  </style><main>
    ${figure('1. Your file', SOURCE, `<ol>${numbered(source, at)}</ol>`)}<div class="arrow">→</div>
    ${figure('2. Manuscript', 'manuscript.md', `<ol>${numbered(manuscript.split('\n'), carried)}</ol>`)}<div class="arrow">→</div>
    ${figure('3. Word file', 'incident.docx', `<div class="word"><img src="${wordPicture(pdf)}"><i></i></div>`)}
  </main><p>The ledger proves it for each line: <code>${SOURCE}:${at}</code> → <code>manuscript.md:${carried}</code> → found in the Word file</p>`);
  return page.screenshot();
}
