import { buildLedger, ledgerIssues } from './ledger.js';

const device = (name: string, cable: string, service: string) =>
  `# ${name}\n\nThe ${name.toLowerCase()} is model ${name[0]}-12.\n\n## Wiring\n\nUse the ${cable} cable.\n\n## Service\n\n${service}\n`;
const SOURCES = [
  { name: 'a.md', text: device('Pump', 'red', 'Grease it every month.') },
  { name: 'b.md', text: device('Valve', 'blue', 'Check it every week.') },
];
const TOP = '# Pump\n\nThe pump is model P-12.\n\n# Valve\n\nThe valve is model V-12.\n\n';
const group = (title: string, first: string, second: string, [pump, valve]: string[]) =>
  `# ${title}\n\n## ${first}\n\n### ${title}\n\n${pump}\n\n## ${second}\n\n### ${title}\n\n${valve}\n\n`;
const WIRING = ['Use the red cable.', 'Use the blue cable.'];
const SERVICE = ['Grease it every month.', 'Check it every week.'];

const issuesOf = (manuscript: string) =>
  ledgerIssues(buildLedger(manuscript, SOURCES, { policy: 'verbatim' })).map(({ rule }) => rule);

describe('sections of several sources, grouped by subject', () => {
  it('are carried below headings that name their files', () => {
    const grouped = group('Wiring', 'a.md', 'b.md', WIRING) + group('Service', 'a.md', 'b.md', SERVICE);
    expect(issuesOf(TOP + grouped)).toEqual([]);
  });

  it('are misplaced if nothing above them says where they come from', () => {
    const bare = (title: string, [pump, valve]: string[]) =>
      `# ${title}\n\n## ${title}\n\n${pump}\n\n## ${title}\n\n${valve}\n\n`;
    expect(issuesOf(TOP + bare('Wiring', WIRING) + bare('Service', SERVICE))).toEqual(
      Array.from({ length: 4 }, () => 'SCR-heading-place'),
    );
    const swapped = group('Wiring', 'b.md', 'a.md', WIRING) + group('Service', 'a.md', 'b.md', SERVICE);
    expect(issuesOf(TOP + swapped)).toEqual(['SCR-heading-place', 'SCR-heading-place']);
  });
});
