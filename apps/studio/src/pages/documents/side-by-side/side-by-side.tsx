import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { type Ledger, ledgerOf, LINES_A_PAGE, linesOf } from '../../../api/ledger';
import { isBlockingError } from '../../../api/query-client';
import { retryingImport } from '../../../api/retrying-import';
import { manuscriptMap, sourceAt, sourceMap, wordPlace, type LineMap } from './line-map';
import { useQueries, useQuery } from '@tanstack/react-query';
import { PageLoader } from '../../../ui/page-loader';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useTab } from '../../../ui/use-tab';
import { ListboxFrame, useVirtualListbox } from '../../../ui/virtual-listbox';
import { ManuscriptPane } from './manuscript-pane';

const WordPreview = lazy(retryingImport(() => import('../word-preview')));

/** Lines above which the manuscript is shown line by line, without loading it as a whole. */
const MAX_RENDERED_LINES = 20_000;
/** Window in which the three panes have room beside the navigation. */
const WIDE = '(min-width: 1370px)';

interface PanesProps {
  sessionId: string;
  /** Address of the Word file; undefined if there is none. */
  wordUrl: string | undefined;
}

/**
 * Shows the sources, the manuscript and the pages of the Word file side by side. On a narrow page, the user chooses which
 * of the other two is next to the manuscript.
 */
export default function Panes({ sessionId, wordUrl }: PanesProps) {
  const { t } = useTranslation();
  const { data: ledger, error, refetch } = useQuery(ledgerOf(sessionId));
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const [beside, setBeside] = useTab('sources', 'beside');
  if (ledger === undefined && !error) return <PageLoader />;
  const shows = (pane: string) => isWide || beside === pane || wordUrl === undefined;
  return (
    <Stack gap="sm">
      {isBlockingError(error, ledger) && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!isWide && wordUrl && ledger && (
        <SegmentedControl
          aria-label={t('document.beside')}
          className="no-print"
          w="fit-content"
          value={beside}
          onChange={setBeside}
          data={[
            { value: 'sources', label: t('sources.title') },
            { value: 'word', label: t('document.word') },
          ]}
        />
      )}
      <SideBySide
        sessionId={sessionId}
        ledger={ledger ?? NO_LEDGER}
        hasSources={Boolean(ledger) && shows('sources')}
        wordUrl={!ledger || shows('word') ? wordUrl : undefined}
      />
    </Stack>
  );
}

/** Before the first validation, the texts have no counterparts. */
const NO_LEDGER: Ledger = {
  policy: 'verbatim',
  coverage: 0,
  manuscript: { lines: 0, carried: 0, added: 0 },
  ...{ files: [], runs: [], added: [], unaccounted: [], altered: [] },
};

interface SideBySideProps extends PanesProps {
  ledger: Ledger;
  hasSources: boolean;
}

const KINDS = ['carried', 'omitted', 'altered', 'removed', 'added'] as const;

/** Shows a source, the manuscript and the Word file; choosing a line in one shows its counterparts (X1). */
function SideBySide({ sessionId, ledger, hasSources, wordUrl }: SideBySideProps) {
  const { t } = useTranslation();
  const files = ledger.files.map(({ name }, index) => ({ value: String(index), label: name }));
  const [source, setChosen] = useState(0);
  const [words, setWords] = useState({ text: '' });
  const { left, right, selected, choose } = useChoice(ledger, source, setChosen);
  const file = ledger.files[source];
  return (
    <Stack gap="sm">
      {hasSources && (
        <Bar
          files={files}
          source={source}
          onSource={(next) => {
            setChosen(next);
            choose.nothing();
          }}
          onJump={choose.next}
        />
      )}
      {hasSources && <InWord ledger={ledger} source={source} line={selected.line} />}
      <div className="side-by-side" data-panes={1 + Number(hasSources) + Number(wordUrl !== undefined)}>
        {hasSources && file && (
          <LinePane
            key={file.name}
            label={file.name}
            sessionId={sessionId}
            input={file.name}
            total={file.lines}
            map={left}
            selected={selected.line}
            onSelect={choose.source}
          />
        )}
        {ledger.manuscript.lines > MAX_RENDERED_LINES ? (
          <LinePane
            label={t('document.manuscript')}
            sessionId={sessionId}
            input={null}
            total={ledger.manuscript.lines}
            map={right}
            selected={selected.manuscript}
            onSelect={choose.manuscript}
          />
        ) : (
          <ManuscriptPane
            sessionId={sessionId}
            choice={selected}
            kinds={right}
            onChoose={choose.block}
            onShown={setWords}
          />
        )}
        {wordUrl && (
          <Suspense fallback={<PageLoader />}>
            <WordPreview url={wordUrl} words={words} />
          </Suspense>
        )}
      </div>
    </Stack>
  );
}

/** Returns the chosen line and its counterpart; a manuscript line may belong to another source. */
function useChoice(ledger: Ledger, source: number, onSource: (source: number) => void) {
  const left = useMemo(() => sourceMap(ledger, source), [ledger, source]);
  const right = useMemo(() => manuscriptMap(ledger, source), [ledger, source]);
  const [selected, setSelected] = useState<{ line: number | null; manuscript: number | null }>({
    line: null,
    manuscript: null,
  });
  const chooseSource = (line: number) => setSelected({ line, manuscript: left.counterpart(line) });
  const chooseManuscript = (manuscript: number) => {
    const own = right.counterpart(manuscript);
    const other = own === null ? sourceAt(ledger, manuscript) : source;
    if (other !== null && other !== source) onSource(other);
    const map = other === null || other === source ? right : manuscriptMap(ledger, other);
    setSelected({ line: map.counterpart(manuscript), manuscript });
  };
  const chooseBlock = (first: number, last: number) => {
    const hasCounterpart = (line: number) =>
      right.counterpart(line) !== null || sourceAt(ledger, line) !== null;
    const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    chooseManuscript(lines.find(hasCounterpart) ?? first);
  };
  const jump = (step: 1 | -1) => {
    const next = left.next(selected.line ?? 0, step);
    if (next !== null) chooseSource(next);
  };
  const nothing = () => setSelected({ line: null, manuscript: null });
  return {
    left,
    right,
    selected,
    choose: { source: chooseSource, manuscript: chooseManuscript, block: chooseBlock, next: jump, nothing },
  };
}

/** Shows the chosen source line's location in the Word file. */
function InWord({ ledger, source, line }: { ledger: Ledger; source: number; line: number | null }) {
  const { t } = useTranslation();
  const place = useMemo(
    () => (line === null ? null : wordPlace(ledger, source, line)),
    [ledger, source, line],
  );
  const describePlace = () => {
    if (line === null || place === null) return t('ledger.chooseLine');
    if (place === 'nothing') return t('ledger.wordNothing', { line });
    if ('missing' in place) return t('ledger.wordMissing', { line, text: place.missing });
    return t('ledger.wordLine', { line, shown: place.shown });
  };
  if (!ledger.word) return null;
  return (
    <Text size="sm" role="status">
      {describePlace()}
    </Text>
  );
}

interface BarProps {
  files: { value: string; label: string }[];
  /** Index of the source in the ledger's files. */
  source: number;
  onSource: (source: number) => void;
  onJump: (step: 1 | -1) => void;
}

/** Selects the source, jumps to its differences, and explains the colours. */
function Bar({ files, source, onSource, onJump }: BarProps) {
  const { t } = useTranslation();
  return (
    <Group align="flex-end">
      <Select
        label={t('ledger.source')}
        data={files}
        value={String(source)}
        allowDeselect={false}
        onChange={(value) => value && onSource(Number(value))}
      />
      <Button variant="default" onClick={() => onJump(-1)}>
        {t('ledger.previous')}
      </Button>
      <Button variant="default" onClick={() => onJump(1)}>
        {t('ledger.next')}
      </Button>
      <Group gap={4} role="note" aria-label={t('ledger.legend')}>
        {KINDS.map((kind) => (
          <Text key={kind} size="xs" className="diff-line" data-kind={kind}>
            {t(`lineKind.${kind}`)}
          </Text>
        ))}
      </Group>
    </Group>
  );
}

const LINE_HEIGHT = 22;

interface LinePaneProps {
  label: string;
  sessionId: string;
  /** Name of an input; null for the manuscript. */
  input: string | null;
  total: number;
  map: LineMap;
  /** 1-based line that is chosen here, or the counterpart of the line chosen on the other side. */
  selected: number | null;
  onSelect: (line: number) => void;
}

/** Shows one text of the ledger; lines are fetched and rendered as they come into view. */
function LinePane(props: LinePaneProps) {
  const { t } = useTranslation();
  const { label, total, map, selected, onSelect } = props;
  const list = useVirtualListbox({
    count: total,
    rowHeight: LINE_HEIGHT,
    chosen: selected === null ? -1 : selected - 1,
    onChoose: (row) => onSelect(row + 1),
    align: 'center',
  });
  const lineAt = useLines(props, list.rows[0]?.index ?? 0, list.rows.at(-1)?.index ?? 0);
  return (
    <ListboxFrame
      list={list}
      label={label}
      activeId={selected === null ? undefined : `${label}-${selected}`}
      className="verbatim line-pane"
    >
      {list.rows.map(({ key, index, start }) => {
        const line = index + 1;
        const kind = map.kindOf(line);
        return (
          <div
            key={key}
            id={`${label}-${line}`}
            role="option"
            aria-selected={line === selected}
            className="pane-line"
            data-kind={kind}
            title={kind && t(`lineKind.${kind}`)}
            style={{ transform: `translateY(${start}px)` }}
            onClick={() => onSelect(line)}
          >
            <span className="line-number">{line}</span>
            <span>{lineAt(index)}</span>
          </div>
        );
      })}
    </ListboxFrame>
  );
}

/** Fetches the pages of the visible lines (0-based). */
function useLines({ sessionId, input, total }: LinePaneProps, first: number, last: number) {
  const from = Math.floor(first / LINES_A_PAGE);
  const to = total === 0 ? from - 1 : Math.floor(last / LINES_A_PAGE);
  const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const read = useQueries({ queries: pages.map((page) => linesOf(sessionId, input, page)) });
  return (index: number): string => {
    const page = read[Math.floor(index / LINES_A_PAGE) - from]?.data;
    return page === undefined ? '…' : (page[index % LINES_A_PAGE] ?? '');
  };
}
