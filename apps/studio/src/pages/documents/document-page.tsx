import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { change, type Schemas } from '../../api/api-query';
import { documentQuery, exportsOf, inputsOf, resultsOf, runsOfSession, WORK } from '../../api/documents';
import { isOver, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { EmptyState, PageHeader, Hint, PageLoader, useReady } from '../../ui/frames';
import { ExportFiles } from '../../ui/export-files';
import { formatPercent } from '../../ui/format';
import { LeftOutFiles } from '../../ui/left-out-files';
import { NewItem } from '../../ui/new-item';
import { PageTabs } from '../../ui/page-tabs';
import { WorkActions } from '../../ui/work-actions';
import { RunProgress } from '../runs/run-progress';
import { WriteDocument } from './write-document';
import './documents.css';
import { ActionButton } from '../../ui/actions';
import { RunLink } from '../../ui/work-name';
import { ShareButton } from '../../ui/share-button';
import { lazyPart } from '../../ui/lazy-part';

const Panes = lazyPart(() => import('./side-by-side/side-by-side'));
const Ledger = lazyPart(() => import('./ledger'));
const Sources = lazyPart(() => import('./sources'));
const ReturnedFile = lazyPart(() => import('../../ui/returned-file'));

/** Shows one document: its state in a line, its texts side by side, and downloads. */
export default function DocumentPage() {
  const { t } = useTranslation();
  const { sessionId } = useParams({ from: '/shell/documents/$sessionId' });
  const [session, instead] = useReady(documentQuery(sessionId));
  const runs = useQuery(runsOfSession(sessionId, 'document'));
  const files = useQuery(exportsOf(sessionId)).data?.items;
  const mayWrite = useMay('write');
  const skipped = useRouterState({ select: ({ location }) => location.state.skipped });
  const results = useQuery(resultsOf(sessionId)).data?.items;
  if (instead) return instead;
  if (runs.isPending) return <PageLoader />;
  const run = runs.data?.items[0];
  // Files that the sources refer to and that an answer left out; the answer is reused for the same sources.
  const { left_out: leftOut = [] } = (run?.progress.details ?? {}) as { left_out?: string[] };
  const name = session.title ?? run?.title ?? t('list.untitled');
  const word = files?.find(({ format }) => format === 'docx');
  const coverage = results?.find(({ name: of }) => of === 'manuscript')?.coverage;
  return (
    <>
      <PageHeader title={name}>
        <WorkActions id={sessionId} name={name} run={run} leaveTo="document" />
        {results?.some(({ name: of }) => of === 'manuscript') && (
          <ShareButton sessionId={sessionId} of={{ result: { kind: 'document', name: 'manuscript' } }} />
        )}
        {files && <Downloads sessionId={sessionId} files={files} />}
      </PageHeader>
      <Stack>
        {run && (run.status === 'completed' || (isOver(run) && word)) && (
          <StatusLine run={run} coverage={coverage} word={word} />
        )}
        {run && run.status !== 'completed' && <RunProgress run={run} />}
        {!run && (
          <EmptyState title={t('document.noRun')} text={t('document.noRunText')}>
            {mayWrite && <WriteDocument sessionId={sessionId} label={t('newDocument.write')} />}
          </EmptyState>
        )}
        {leftOut[0] && (
          <Hint>{t('document.leftOut', { count: leftOut.length, names: leftOut.join(', ') })}</Hint>
        )}
        {skipped && <LeftOutFiles {...skipped} />}
        <Parts
          {...{ sessionId, word }}
          isLedgerOld={results?.some(({ is_current }) => is_current === false) ?? false}
          isActive={run !== undefined && !isOver(run)}
        />
      </Stack>
    </>
  );
}

/** Button for the newest file, and a list of all files. */
function Downloads({ sessionId, files }: { sessionId: string; files: Schemas['Export'][] }) {
  const { t } = useTranslation();
  const [newest, ...older] = files;
  if (!newest) return null;
  return (
    <>
      <Button component="a" href={`/api/sessions/${sessionId}/exports/${newest.id}`} download={newest.name}>
        {t('document.download', { format: newest.format.toUpperCase() })}
      </Button>
      {older.length > 0 && (
        <NewItem label={t('document.files')} variant="default" scope="read">
          <ExportFiles {...{ sessionId, files }} />
        </NewItem>
      )}
    </>
  );
}

interface StatusLineProps {
  run: Run;
  /** Coverage of the current text, 0…1. */
  coverage: number | null | undefined;
  word: Schemas['Export'] | undefined;
}

/** Says in a line how much of the sources the document carries, and whether its Word file is of the current text. */
function StatusLine({ run, coverage, word }: StatusLineProps) {
  const { t } = useTranslation();
  const { session_id } = run;
  const inputs = useQuery(inputsOf(session_id)).data?.items;
  const mayWrite = useMay('write');
  const {
    coverage: atEnd = null,
    coverage_report: report,
    taken_over: taken,
  } = run.progress.details as {
    coverage?: number | null;
    coverage_report?: { read_by_ocr?: number; left_by_people?: number } | null;
    taken_over?: { kept: number; written: number } | null;
  };
  const share = coverage ?? atEnd;
  const isOld = word?.is_current === false;
  const facts = [
    share !== null && t('run.coverage', { share: formatPercent(share) }),
    report?.read_by_ocr !== undefined && t('run.readByOcr', { count: report.read_by_ocr }),
    report?.left_by_people !== undefined && t('run.leftByPeople', { count: report.left_by_people }),
    inputs && t('newDocument.files', { count: inputs.length }),
    taken && t('document.takenOver', { kept: taken.kept, written: taken.written }),
    typeof word?.is_current === 'boolean' && t(isOld ? 'document.outOfDate' : 'document.current'),
  ];
  return (
    <Text size="sm" component="div">
      <Text span inherit role="status" c={isOld ? undefined : 'dimmed'}>
        {facts.filter(Boolean).join(' · ')}
      </Text>{' '}
      {isOld && mayWrite && (
        <ActionButton
          size="compact-sm"
          label={t('document.exportAgain')}
          act={() => exportWord(session_id)}
        />
      )}
      <RunLink id={run.id} underline="always" children={t('run.details')} />
    </Text>
  );
}

const exportWord = (session_id: string, proposals?: 'tracked') =>
  change('POST /api/sessions/{session_id}/exports', { session_id, body: { proposals } }, ...WORK);

interface PartsProps extends Pick<StatusLineProps, 'word'> {
  sessionId: string;
  /** Whether the ledger traces another version than the current manuscript. */
  isLedgerOld: boolean;
  isActive: boolean;
}

/** Shows the texts, the figures of the ledger, and the source files; each is fetched when its tab is opened. */
function Parts({ sessionId, word, isLedgerOld, isActive }: PartsProps) {
  const { t } = useTranslation();
  const wordUrl = word && `/api/sessions/${sessionId}/exports/${word.id}`;
  const traced = (content: ReactNode) => (
    <>
      {isLedgerOld && <Text role="status" mb="sm" children={t('ledger.outOfDate')} />}
      {content}
    </>
  );
  const manuscript = traced(<Panes {...{ sessionId, wordUrl }} />);
  const ledger = traced(<Ledger {...{ sessionId, isActive }} />);
  const returned = <ReturnedFile sessionId={sessionId} share={() => exportWord(sessionId, 'tracked')} />;
  const sources = <Sources {...{ sessionId, isActive }} isWritten={word !== undefined} />;
  return (
    <PageTabs
      tabs={[
        { name: 'manuscript', label: t('document.manuscript'), content: manuscript },
        { name: 'ledger', label: t('document.ledger'), content: ledger },
        word && { name: 'review', label: t('review.title'), content: returned },
        { name: 'sources', label: t('sources.title'), content: sources },
      ]}
    />
  );
}
