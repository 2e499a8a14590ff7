import { SmallButton } from '../../../ui/actions';
import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import type { Ledger } from '#verbatim/schema.js';
import { ledgerOf, LINES_A_PAGE, linesOf } from '../../../api/ledger';
import { isBlockingError } from '../../../api/query-client';
import { manuscriptMap, sourceAt, sourceMap, type LineMap } from './line-map';
import { useQuery } from '@tanstack/react-query';
import { PageLoader, ProblemAlert } from '../../../ui/frames';
import { useTab } from '../../../ui/page-tabs';
import { VirtualListbox } from '../../../ui/virtual-listbox';
import { ManuscriptPane } from './manuscript-pane';
import { lazyPart } from '../../../ui/lazy-part';

const WordPreview = lazyPart(() => import('../word-preview'));

/** Lines above which a text is shown line by line, without loading it as a whole, and long lines are not wrapped. */
const MAX_RENDERED_LINES = 20_000;
/** Window in which the three panes have room beside the navigation. */
const WIDE = '(min-width: 1370px)';
/** Window in which the panes are below each other; as in `documents.css`. */
const PHONE = '(max-width: 700px)';

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
      <SideBySide
        sessionId={sessionId}
        ledger={ledger ?? NO_LEDGER}
        hasSources={Boolean(ledger) && shows('sources')}
        wordUrl={!ledger || shows('word') ? wordUrl : undefined}
      >
        {!isWide && wordUrl && ledger && (
          <SegmentedControl
            aria-label={t('document.beside')}
            className="no-print"
            value={beside}
            onChange={setBeside}
            data={[
              { value: 'sources', label: t('sources.title') },
              { value: 'word', label: t('document.word') },
            ]}
          />
        )}
      </SideBySide>
    </Stack>
  );
}

/** Before the first validation, the texts have no counterparts. */
const NO_LEDGER = {
  ...{ files: [], runs: [], added: [], unaccounted: [], altered: [] },
  manuscript: { lines: 0 },
} as object as Ledger;

interface SideBySideProps extends PanesProps {
  ledger: Ledger;
  hasSources: boolean;
  /** Choice of the pane beside the manuscript. */
  children: ReactNode;
}

const KINDS = ['carried', 'omitted', 'altered', 'removed', 'added'] as const;

/**
 * Shows a source, the manuscript and the Word file; choosing a line in one shows its counterparts (X1). On a phone, the
 * manuscript is first.
 */
function SideBySide({ sessionId, ledger, hasSources, wordUrl, children }: SideBySideProps) {
  const { t } = useTranslation();
  const files = ledger.files.map(({ name }, index) => ({ value: String(index), label: name }));
  const [source, setChosen] = useState(0);
  const [words, setWords] = useState({ text: '' });
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const { left, right, selected, choose } = useChoice(ledger, source, setChosen);
  const file = ledger.files[source];
  const manuscript =
    ledger.manuscript.lines > MAX_RENDERED_LINES ? (
      <LinePane
        key="manuscript"
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
        key="manuscript"
        sessionId={sessionId}
        choice={selected}
        kinds={right}
        onChoose={choose.block}
        onShown={setWords}
      />
    );
  const bar = (
    <Group key="bar" className="pane-bar" gap="sm">
      {children}
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
    </Group>
  );
  const sourceLines = hasSources && file && (
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
  );
  return (
    <div className="side-by-side" data-panes={1 + Number(hasSources) + Number(wordUrl !== undefined)}>
      {/* By their keys, the panes keep what was begun in them when a phone is turned. */}
      {isPhone ? [manuscript, bar, sourceLines] : [bar, sourceLines, manuscript]}
      {wordUrl && <WordPreview url={wordUrl} words={words} />}
    </div>
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
    <>
      <Select
        size="xs"
        aria-label={t('ledger.source')}
        data={files}
        value={String(source)}
        onChange={(value) => value && onSource(Number(value))}
      />
      <SmallButton label={t('ledger.previous')} onClick={() => onJump(-1)} />
      <SmallButton label={t('ledger.next')} onClick={() => onJump(1)} />
      <Group gap={4} role="note" aria-label={t('ledger.legend')}>
        {KINDS.map((kind) => (
          <Text key={kind} size="xs" className="diff-line" data-kind={kind}>
            {t(`lineKind.${kind}`)}
          </Text>
        ))}
      </Group>
    </>
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
function LinePane({ label, sessionId, input, total, map, selected, onSelect }: LinePaneProps) {
  const { t } = useTranslation();
  return (
    <VirtualListbox
      label={label}
      className="verbatim line-pane"
      count={total}
      rowHeight={LINE_HEIGHT}
      wraps={total <= MAX_RENDERED_LINES}
      chosen={selected === null ? -1 : selected - 1}
      onChoose={(row) => onSelect(row + 1)}
      align="center"
      row={(index) => {
        const kind = map.kindOf(index + 1);
        return {
          id: `${label}-${index + 1}`,
          className: 'pane-line',
          title: kind && t(`lineKind.${kind}`),
          'data-kind': kind,
          children: <Line sessionId={sessionId} input={input} index={index} />,
        };
      }}
    />
  );
}

/** Shows a line (0-based), and fetches its page. */
function Line({ sessionId, input, index }: Pick<LinePaneProps, 'sessionId' | 'input'> & { index: number }) {
  const { data: page } = useQuery(linesOf(sessionId, input, Math.floor(index / LINES_A_PAGE)));
  return (
    <>
      <span className="line-number">{index + 1}</span>
      <span>{page === undefined ? '…' : page[index % LINES_A_PAGE]}</span>
    </>
  );
}
