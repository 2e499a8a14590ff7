import { Paper, Text, Anchor, Group, Stack } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { Ledger as LedgerView } from '#verbatim/schema.js';
import { ledgerOf } from '../../api/ledger';
import { formatPercent } from '../../ui/format';
import { usePhrases } from '../../ui/run-words';
import { ListTable } from '../../ui/list-table';
import { createElement, type ReactNode } from 'react';
import { useReady } from '../../ui/frames';

/** Traces every line of each source: figures per file, and each difference with its wording (X1). */
export default function Ledger({ sessionId, isActive }: { sessionId: string; isActive: boolean }) {
  const { t, language } = useTranslation();
  const [data, instead] = useReady(ledgerOf(sessionId));
  if (instead) return instead;
  if (data === null) return <Text c="dimmed">{t('ledger.none')}</Text>;
  const byOcr = data.files
    .flatMap(({ inventory }) => inventory?.read_by_ocr ?? [])
    .reduce((sum, { lines }) => sum + lines, 0);
  const byPeople = data.files
    .flatMap(({ omissions }) => omissions.filter(({ by }) => by === 'person'))
    .reduce((sum, { first_line: first, last_line: last }) => sum + last - first + 1, 0);
  const files = worstFirst(data.files);
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Text fw={600}>
            {t(isActive ? 'ledger.soFar' : 'ledger.carried', { share: formatPercent(data.coverage) })}
          </Text>
          <Text size="sm" c="dimmed">
            {data.word
              ? t('ledger.shown', { share: formatPercent(data.word.coverage) })
              : t('ledger.notRead')}
          </Text>
          {byPeople > 0 && <Text size="sm">{t('run.leftByPeople', { count: byPeople })}</Text>}
          {byOcr > 0 && <Text size="sm">{t('run.readByOcr', { count: byOcr })}</Text>}
        </div>
        <Anchor
          href={`/api/sessions/${sessionId}/ledger?format=html&language=${language}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('ledger.page')}
        </Anchor>
      </Group>
      <FileTable files={files} ledger={data} />
      <Differences files={files} ledger={data} />
    </Stack>
  );
}

/** Sorts files: those with nothing carried first, then by missing bytes. */
function worstFirst(files: LedgerView['files']): LedgerView['files'] {
  const missing = ({ bytes, altered, unaccounted }: LedgerView['files'][number]) =>
    bytes?.missing ?? altered + unaccounted;
  const absent = ({ lines, altered, unaccounted }: LedgerView['files'][number]) =>
    lines > 0 && altered + unaccounted === lines;
  return [...files].sort((a, b) => Number(absent(b)) - Number(absent(a)) || missing(b) - missing(a));
}

/** Shows the line counts of each source. */
function FileTable({ files, ledger }: { files: LedgerView['files']; ledger: LedgerView }) {
  const { t } = useTranslation();
  // Text files have no pieces, and without their columns the table fits the page.
  const hasPieces = files.some(({ inventory }) => inventory !== undefined);
  const number = (label: string, cell: (file: File) => ReactNode) => ({ label, cell, isNumber: true });
  return (
    <ListTable
      items={files}
      minWidth={560}
      columns={[
        { label: t('ledger.source'), cell: ({ name }) => name },
        number(t('ledger.coverage'), ({ coverage }) => t('ledger.share', { share: formatPercent(coverage) })),
        number(t('ledger.lines'), ({ lines }) => lines),
        number(t('ledger.carriedLines'), ({ carried }) => carried),
        number(t('ledger.omitted'), ({ omitted }) => omitted),
        number(t('ledger.altered'), ({ altered }) => altered),
        number(t('ledger.unaccounted'), ({ unaccounted }) => unaccounted),
        ...(hasPieces
          ? [t('ledger.pieces'), t('ledger.leftOutPieces'), t('ledger.lostPieces')].map((label, index) =>
              number(label, (file) => piecesOf(file)[index]),
            )
          : []),
        number(t('ledger.inWord'), (file) => inWord(ledger, file)),
      ]}
    />
  );
}

type File = LedgerView['files'][number];

/** Returns the counts of pieces; dashes for a file that is text, or that could not be counted. */
function piecesOf({ inventory }: File): (number | string)[] {
  if (inventory === undefined || inventory.problem !== undefined) return ['–', '–', '–'];
  return [inventory.pieces, inventory.left_out, inventory.lost];
}

/** Returns how many lines with words the Word file shows; a dash if it was not read back. */
function inWord({ files, word }: LedgerView, file: File): string {
  const found = word?.files[files.indexOf(file)];
  return found ? `${found.shown} / ${found.wanted}` : '–';
}

/** Returns whether a line of the manuscript has words that no source supports. */
const isUnsupported = ({ kind }: LedgerView['added'][number]) =>
  kind === 'added_text' || kind === 'added_heading';

/** What the wording of a difference is marked with. */
const MARKS = { equal: 'span', delete: 'del', insert: 'ins' } as const;

/**
 * Lists the pieces that the extracted text of a file omits or lost, the lines of the manuscript that carry no source,
 * unsupported ones first, and the lines that are not carried, not shown in the Word file, or altered.
 */
function Differences({ files, ledger }: { files: LedgerView['files']; ledger: LedgerView }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const own = ledger.added.filter(({ kind }) => kind !== 'markup');
  const entries: [title: string, words: ReactNode][] = [
    ...files.flatMap(({ name: source, inventory }) =>
      (inventory?.entries ?? []).map((entry): [string, ReactNode] => {
        const place = render(entry.place_phrase, entry.place);
        const reason = render(entry.reason_phrase, entry.reason);
        return [t(`ledger.${entry.outcome}`, { source, place, reason }), entry.words];
      }),
    ),
    ...own
      .sort((a, b) => Number(isUnsupported(b)) - Number(isUnsupported(a)))
      .map((added): [string, ReactNode] => {
        const { manuscript_line: line, text } = added;
        const kind = render({ code: `ledger_page.added_${added.kind}`, params: {} }, added.kind);
        return [t(isUnsupported(added) ? 'ledger.addedText' : 'ledger.ownLine', { line, kind }), text];
      }),
    ...ledger.unaccounted.map(({ source, line, text }): [string, ReactNode] => [
      t('ledger.missingAt', { source, line }),
      text,
    ]),
    ...(ledger.word?.missing ?? []).map(({ source, line, text }): [string, ReactNode] => [
      t('ledger.lostAt', { source: ledger.files[source]?.name, line }),
      text,
    ]),
    ...ledger.altered.map(({ source, line, manuscript_line: manuscript, diff }): [string, ReactNode] => [
      t('ledger.alteredAt', { source, line, manuscript }),
      diff.map(({ op, text }, index) => createElement(MARKS[op], { key: index }, text)),
    ]),
  ];
  return entries.map(([title, words], index) => (
    <Paper key={index} withBorder p="sm">
      <Text size="sm" fw={600} children={title} />
      <div className="verbatim">{words}</div>
    </Paper>
  ));
}
