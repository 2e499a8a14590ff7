import { planTemplates, type KnownTemplate } from '#plan/templates/catalogue.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- views of plans, read at many depths
type View = any;

/** A session's files, values of the parameters, and what the plan writes: the text of a file, or a part of a binary one. */
interface Case {
  files: Record<string, string>;
  values?: Record<string, string | string[]>;
  writes: Record<string, string | RegExp>;
}
/** Over a table or text with no, one and many rows. */
type Cases = readonly [Case, Case, Case];

const lines = (...rows: string[]) => rows.map((row) => `${row}\r\n`).join('');
const SALES = 'Ort;Menge (kg)\n';
const [LODZ, GDANSK, LODZ_AGAIN] = ['Łódź;1,5\n', 'Gdańsk;10,0\n', 'Łódź;2,0\n'];
const SALES_OF = [SALES, SALES + LODZ, SALES + LODZ + GDANSK + LODZ_AGAIN] as const;
const COUNTRIES = 'Ort;Land "heute"\nŁódź;Polska\n';
const HEAD = 'Ort,Menge (kg)';

/** One case for each table, with the lines below the head of the file that the plan writes. */
function overSales(file: string, values: object, head: string, rows: readonly string[][]): Cases {
  const [none, one, many] = SALES_OF.map((sales, at) => ({
    files: { 'Dane 2026 (2).csv': sales, 'Länder.csv': COUNTRIES },
    values: { file: 'Dane 2026 (2).csv', ...values },
    writes: { [file]: lines(head, ...rows[at]!) },
  }));
  return [none!, one!, many!];
}

const totals = (more: object = {}) =>
  overSales('totals.csv', { column: 'Menge (kg)', group_by: 'Ort', ...more }, 'Ort,sum_Menge (kg)', [
    [],
    ['Łódź,1.5'],
    ['Łódź,3.5', 'Gdańsk,10'],
  ]);
const charted = (): Cases => {
  const cases = overSales('totals.csv', { column: 'Menge (kg)', group_by: 'Ort' }, 'Ort,total', [
    ...[[], ['Łódź,1.5'], ['Łódź,3.5', 'Gdańsk,10']],
  ]);
  for (const { writes } of cases.slice(1)) writes['chart.svg'] = /^<svg[^]*Łódź/;
  return cases;
};

const CASES: Record<KnownTemplate['name'], Cases> = {
  list_files: [
    { files: {}, writes: { 'files.csv': /^(?:name,bytes,format)?\s*$/ } },
    { files: { 'a b.md': 'x' }, writes: { 'files.csv': /^name.*\r\na b\.md,[^\n]*\r\n$/ } },
    {
      files: { 'ä/1.csv': 'x', 'ä/2.csv': 'y', 'b.md': 'z' },
      writes: { 'files.csv': /^name.*\r\n(?:(?:ä\/[12]\.csv|b\.md),[^\n]*\r\n){3}$/ },
    },
  ],
  total_by_group: totals(),
  chart_by_group: charted(),
  sort_rows: overSales('sorted.csv', { column: 'Menge (kg)' }, HEAD, [
    ...[[], ['Łódź,1.5'], ['Gdańsk,10', 'Łódź,2', 'Łódź,1.5']],
  ]),
  filter_rows: overSales('filtered.csv', { column: 'Ort', value: 'Łódź' }, HEAD, [
    ...[[], ['Łódź,1.5'], ['Łódź,1.5', 'Łódź,2']],
  ]),
  remove_duplicates: overSales('unique.csv', { column: 'Ort' }, HEAD, [
    ...[[], ['Łódź,1.5'], ['Łódź,1.5', 'Gdańsk,10']],
  ]),
  join_tables: overSales(
    'joined.csv',
    { other_file: 'Länder.csv', column: 'Ort' },
    `${HEAD},"Land ""heute"""`,
    [[], ['Łódź,1.5,Polska'], ['Łódź,1.5,Polska', 'Gdańsk,10,', 'Łódź,2,Polska']],
  ),
  missing_rows: overSales('missing.csv', { other_file: 'Länder.csv', column: 'Ort' }, HEAD, [
    ...[[], [], ['Gdańsk,10']],
  ]),
  merge_tables: [
    { files: { 'a 1.csv': SALES }, values: { files: ['a 1.csv'] }, writes: { 'merged.csv': lines(HEAD) } },
    {
      files: { 'a.csv': SALES + LODZ, 'b.csv': SALES },
      values: { files: ['b.csv', 'a.csv'] },
      writes: { 'merged.csv': lines(HEAD, 'Łódź,"1,5"') },
    },
    {
      files: { 'a.csv': SALES + LODZ + GDANSK, 'b.csv': COUNTRIES },
      values: { files: ['a.csv', 'b.csv'] },
      writes: {
        'merged.csv': lines(`${HEAD},"Land ""heute"""`, ...['Łódź,"1,5",', 'Gdańsk,"10,0",', 'Łódź,,Polska']),
      },
    },
  ],
  compare_texts: [
    ['Ein Satz.\n', 'Ein Satz.\n', /"equal": ?true/],
    ['Ein Satz.\n', 'Kein Satz.\n', /"added": ?1,[^]*"removed": ?1/],
    ['a\nb\nc\n', 'a\nx\ny\nc\nd\n', /"added": ?3,[^]*"removed": ?1/],
  ].map(([before, after, differences]) => ({
    files: { 'alt.md': before as string, 'neu.txt': after as string },
    values: { file: 'alt.md', other_file: 'neu.txt' },
    writes: { 'differences.json': differences! },
  })) as unknown as Cases,
  convert_text: [
    ['docx', '# Überschrift\n', /^PK/],
    ['pdf', '# Überschrift\n\nEin Satz.\n', /^%PDF/],
    ['epub', '# Überschrift\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n', /^PK/],
  ].map(([format, text, start]) => ({
    files: { 'Notiz 1.md': text as string },
    values: { file: 'Notiz 1.md', format: format as string },
    writes: { [`document.${String(format)}`]: start! },
  })) as unknown as Cases,
  extract_text: ['Nur ein Wort', '# A\n\nŁódź\n', 'a\n\nb\n\nc\n'].map((text) => ({
    files: { 'źródło.md': text },
    values: { file: 'źródło.md' },
    writes: { 'text.md': text },
  })) as unknown as Cases,
};

describe('saved plans over other tables', () => {
  let tenant: ApiClient;
  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  it.each(planTemplates)('P12 $name, saved, runs over none, one and many rows', async ({ name, ...plan }) => {
    const { parameters, tasks } = plan;
    const config = { hil: { approval_required: 'never' } };
    const saved = await tenant.post('/api/saved-plans', { name, parameters, dag: { tasks }, config });
    expect([saved.status, saved.json.code]).toEqual([201, undefined]);
    const over = async ({ files, values = {}, writes }: Case) => {
      const isEmpty = Object.keys(files).length === 0;
      const session_id = isEmpty
        ? String((await tenant.post('/api/sessions', {})).json.id)
        : await tenant.sessionWith(files);
      const body = { session_id, parameters: values };
      const { json } = await tenant.post(`/api/saved-plans/${String(saved.json.id)}/runs`, body);
      await tenant.events(String(json.id));
      const view = (await tenant.get(`/api/plans/${String(json.id)}`)).json as View;
      expect(view).toMatchObject({ status: 'completed', error: null, warnings: [] });
      const written: Record<string, string> = {};
      for (const file of view.files)
        written[file.name] = (await tenant.get(`/api/sessions/${session_id}/exports/${file.id}`)).text;
      expect(Object.keys(written).sort()).toEqual(Object.keys(writes).sort());
      for (const [file, text] of Object.entries(writes))
        if (typeof text === 'string') expect(written[file]!.replace(/^\uFEFF/, '')).toBe(text);
        else expect(written[file]).toMatch(text);
    };
    for (const each of CASES[name]) await over(each);
  });
});
