import { Button, Paper, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { type Schemas, problemOf } from '../../api/client';
import {
  documentQuery,
  exportDocument,
  exportsOf,
  resultsOf,
  runsOfSession,
  sessionActions,
} from '../../api/documents';
import { isBlockingError } from '../../api/query-client';
import { retryingImport } from '../../api/retrying-import';
import { isOver, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';
import { ExportFiles } from '../../ui/export-files';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { useTab } from '../../ui/use-tab';
import { WorkActions } from '../../ui/work-actions';
import { RunProgress } from '../runs/run-progress';
import { WriteDocument } from './write-document';
import './documents.css';

const Manuscript = lazy(retryingImport(() => import('./manuscript')));
const Ledger = lazy(retryingImport(() => import('./ledger')));
const Sources = lazy(retryingImport(() => import('./sources')));
const WordPreview = lazy(retryingImport(() => import('./word-preview')));

/** Shows one document: progress, manuscript and downloads. */
export function DocumentPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { sessionId } = useParams({ from: '/shell/documents/$sessionId' });
  const session = useQuery(documentQuery(sessionId));
  const runs = useQuery(runsOfSession(sessionId));
  const files = useQuery(exportsOf(sessionId));
  const mayWrite = useMay('write');
  const results = useQuery(resultsOf(sessionId)).data?.items;
  if (isBlockingError(session.error, session.data))
    return <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data || runs.isPending) return <PageLoader />;
  const run = runs.data?.items[0];
  const newest = files.data?.items[0];
  const name = session.data.title ?? run?.title ?? t('list.untitled');
  return (
    <>
      <PageHeader title={name}>
        <WorkActions
          id={sessionId}
          name={name}
          isActive={run !== undefined && !isOver(run)}
          {...sessionActions(sessionId)}
          onDeleted={() => void navigate({ to: '/work', search: { kind: 'document' } })}
        />
        {newest && (
          <Button
            component="a"
            href={`/api/sessions/${sessionId}/exports/${newest.id}`}
            download={newest.name}
          >
            {t('document.download', { format: newest.format.toUpperCase() })}
          </Button>
        )}
      </PageHeader>
      <Stack>
        {run ? (
          <RunProgress run={run} coverage={results?.find(({ name: of }) => of === 'manuscript')?.coverage} />
        ) : (
          <EmptyState title={t('document.noRun')} text={t('document.noRunText')}>
            {mayWrite && <WriteDocument sessionId={sessionId} label={t('newDocument.write')} />}
          </EmptyState>
        )}
        {run && isOver(run) && newest?.is_current === false && <OutOfDate sessionId={sessionId} />}
        {run && <LeftOutReferences run={run} />}
        <Parts
          sessionId={sessionId}
          files={files.data?.items}
          isLedgerOld={results?.some(({ is_current }) => is_current === false) ?? false}
          isActive={run !== undefined && !isOver(run)}
        />
      </Stack>
    </>
  );
}

/** Says that the newest Word file lacks changes of the manuscript, and makes a new one. */
function OutOfDate({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation();
  const exporting = useMutation({ mutationFn: () => exportDocument(sessionId) });
  return (
    <Paper withBorder p="sm" role="status">
      <Text fw={600}>{t('document.outOfDate')}</Text>
      <Text size="sm">{t('document.outOfDateText')}</Text>
      {useMay('write') && (
        <Button size="xs" mt="sm" loading={exporting.isPending} onClick={() => exporting.mutate()}>
          {t('document.exportAgain')}
        </Button>
      )}
      {exporting.error && <ProblemAlert error={exporting.error} />}
    </Paper>
  );
}

/** Names files that the sources refer to and that an answer left out; the answer is reused for the same sources. */
function LeftOutReferences({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { left_out: names = [] } = run.progress.details as { left_out?: string[] };
  if (names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('document.leftOut', { count: names.length, names: names.join(', ') })}
    </Text>
  );
}

interface PartsProps {
  sessionId: string;
  /** Undefined while loading. */
  files: Schemas['Export'][] | undefined;
  /** Whether the ledger traces another version than the current manuscript. */
  isLedgerOld: boolean;
  isActive: boolean;
}

/** Shows the manuscript, its ledger and its files; each is fetched when its tab is opened. */
function Parts({ sessionId, files, isLedgerOld, isActive }: PartsProps) {
  const { t } = useTranslation();
  const word = files?.find(({ format }) => format === 'docx');
  const pdf = files?.find(({ format }) => format === 'pdf');
  const [tab, setTab] = useTab('manuscript');
  const urlOf = ({ id }: { id: string }) => `/api/sessions/${sessionId}/exports/${id}`;
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="manuscript">{t('document.manuscript')}</Tabs.Tab>
        <Tabs.Tab value="ledger">{t('document.ledger')}</Tabs.Tab>
        {word && <Tabs.Tab value="word">{t('document.word')}</Tabs.Tab>}
        {pdf && <Tabs.Tab value="pdf">PDF</Tabs.Tab>}
        <Tabs.Tab value="files">{t('document.files')}</Tabs.Tab>
        <Tabs.Tab value="sources">{t('sources.title')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="manuscript" pt="md">
        <Suspense fallback={<PageLoader />}>
          <Manuscript sessionId={sessionId} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="ledger" pt="md">
        {isLedgerOld && <Text role="status" mb="sm" children={t('ledger.outOfDate')} />}
        <Suspense fallback={<PageLoader />}>
          <Ledger sessionId={sessionId} />
        </Suspense>
      </Tabs.Panel>
      {word && (
        <Tabs.Panel value="word" pt="md">
          <Suspense fallback={<PageLoader />}>
            <WordPreview url={urlOf(word)} />
          </Suspense>
        </Tabs.Panel>
      )}
      {pdf && (
        <Tabs.Panel value="pdf" pt="md">
          <PdfPreview url={urlOf(pdf)} name={pdf.name} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="files" pt="md">
        {files && <ExportFiles sessionId={sessionId} files={files} />}
        {files?.length === 0 && <Text c="dimmed">{t('document.noFiles')}</Text>}
      </Tabs.Panel>
      <Tabs.Panel value="sources" pt="md">
        <Suspense fallback={<PageLoader />}>
          <Sources sessionId={sessionId} isActive={isActive} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

interface PdfPreviewProps {
  url: string;
  name: string;
}

/** Shows the PDF in the browser's viewer. Offers a download in browsers without a viewer. */
function PdfPreview({ url, name }: PdfPreviewProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: ['file', url],
    queryFn: async () => {
      const response = await fetch(url);
      if (!response.ok) throw await problemOf(response);
      return response.blob();
    },
    enabled: navigator.pdfViewerEnabled,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(new Blob([data], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return (
    <Stack align="flex-start">
      <Button component="a" variant="default" href={url} download={name}>
        {t('document.openPdf', { name })}
      </Button>
      {error && <ProblemAlert error={error} />}
      {navigator.pdfViewerEnabled && !address && !error && <PageLoader />}
      {address && <iframe className="pdf-preview" src={address} title={name} />}
    </Stack>
  );
}
