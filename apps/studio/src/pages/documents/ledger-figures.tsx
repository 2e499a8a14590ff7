import { Paper, Progress, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { Ledger as LedgerView } from '../../api/ledger';
import { formatPercent } from '../../ui/format';
import { usePhrases } from '../../ui/use-phrases';
import { ListTable } from '../../ui/list-table';
import type { ReactNode } from 'react';

/** Shows the line counts of each source. */
export function FileTable({ files, ledger }: { files: LedgerView['files']; ledger: LedgerView }) {
  const { t } = useTranslation();
  // Text files have no pieces, and without their columns the table fits the page.
  const hasPieces = files.some(({ inventory }) => inventory !== undefined);
  if (files.length === 0) return <Text c="dimmed">{t('ledger.allCarried')}</Text>;
  const number = (label: string, cell: (file: File) => ReactNode) => ({ label, cell, isNumber: true });
  return (
    <ListTable
      items={files}
      minWidth={560}
      columns={[
        { label: t('ledger.source'), cell: ({ name }) => name },
        { label: t('ledger.coverage'), cell: ({ coverage }) => <Carried share={coverage} /> },
        number(t('ledger.missingBytes'), ({ bytes }) => (bytes ? `${bytes.missing} / ${bytes.total}` : '–')),
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

function Carried({ share }: { share: number }) {
  const { t } = useTranslation();
  return (
    <Progress.Root size="lg" miw={120}>
      <Progress.Section
        value={share * 100}
        color={share < 1 ? 'orange' : 'green'}
        aria-label={t('ledger.carried', { share: formatPercent(share) })}
      />
    </Progress.Root>
  );
}

type File = LedgerView['files'][number];

/** Returns the counts of pieces; dashes for a file that is text, or that could not be counted. */
function piecesOf({ inventory }: File): (number | string)[] {
  if (inventory === undefined || inventory.problem !== undefined) return ['–', '–', '–'];
  return [inventory.pieces, inventory.left_out, inventory.lost];
}

/** Lists the pieces of each file that its extracted text omits or lost. */
export function Pieces({ files }: { files: LedgerView['files'] }) {
  const { t } = useTranslation();
  const render = usePhrases();
  return files.flatMap(({ name, inventory }) =>
    (inventory?.entries ?? []).map(
      ({ place, place_phrase, outcome, words, reason, reason_phrase }, index) => (
        <Entry
          key={`${name}:${index}`}
          title={t(`ledger.${outcome}`, {
            source: name,
            place: render(place_phrase, place),
            reason: render(reason_phrase, reason),
          })}
        >
          {words}
        </Entry>
      ),
    ),
  );
}

/** Lists the lines of the manuscript that carry no source, except markup; unsupported text first. */
export function OwnLines({ ledger }: { ledger: LedgerView }) {
  const { t } = useTranslation();
  const render = usePhrases();
  const isUnsupported = (kind: string) => kind === 'added_text' || kind === 'added_heading';
  return ledger.added
    .filter(({ kind }) => kind !== 'markup')
    .sort((a, b) => Number(isUnsupported(b.kind)) - Number(isUnsupported(a.kind)))
    .map(({ kind, manuscript_line: line, text }) => (
      <Entry
        key={`added:${line}`}
        title={
          isUnsupported(kind)
            ? t('ledger.addedText', { line })
            : t('ledger.ownLine', {
                line,
                kind: render({ code: `ledger_page.added_${kind}`, params: {} }, kind),
              })
        }
      >
        {text}
      </Entry>
    ));
}

/** Returns how many lines with words the Word file shows; a dash if it was not read back. */
function inWord({ files, word }: LedgerView, file: File): string {
  const found = word?.files[files.indexOf(file)];
  return found ? `${found.shown} / ${found.wanted}` : '–';
}

/**
 * Lists lines that are not carried, not shown in the Word file, or altered, with their location and wording.
 */
export function Differences({ ledger }: { ledger: LedgerView }) {
  const { t } = useTranslation();
  return (
    <>
      {ledger.unaccounted.map((missing) => (
        <Entry
          key={`${missing.source}:${missing.line}`}
          title={t('ledger.missingAt', { source: missing.source, line: missing.line })}
        >
          {missing.text}
        </Entry>
      ))}
      {ledger.word?.missing.map(({ source, line, text }) => (
        <Entry
          key={`word:${source}:${line}`}
          title={t('ledger.lostAt', { source: ledger.files[source]?.name, line })}
        >
          {text}
        </Entry>
      ))}
      {ledger.altered.map((altered) => (
        <Entry
          key={`${altered.source}:${altered.line}`}
          title={t('ledger.alteredAt', {
            source: altered.source,
            line: altered.line,
            manuscript: altered.manuscript_line,
          })}
        >
          {altered.diff.map(({ op, text }, index) =>
            op === 'equal' ? (
              <span key={index}>{text}</span>
            ) : op === 'delete' ? (
              <del key={index}>{text}</del>
            ) : (
              <ins key={index}>{text}</ins>
            ),
          )}
        </Entry>
      ))}
    </>
  );
}

/** A place in a text with its wording. */
function Entry({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" fw={600} children={title} />
      <div className="verbatim">{children}</div>
    </Paper>
  );
}
