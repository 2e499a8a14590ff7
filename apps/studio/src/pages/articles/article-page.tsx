import { Group, Paper, Stack, Text, Button, Textarea, Checkbox } from '@mantine/core';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { useOpenDecisions } from '../../api/decisions';
import { exportsOf } from '../../api/documents';
import { useRunEvents, type RunEvent } from '../../api/run-events';
import { isOver, runQuery, type Run } from '../../api/runs';
import { useMay } from '../../api/session';
import { PageHeader, Card, useReady, StateBadge } from '../../ui/frames';
import { WorkActions } from '../../ui/work-actions';
import { articleResults, startArticleRun } from '../../api/articles';
import { TextViews } from '../../ui/reading/text-views';
import { PageTabs } from '../../ui/page-tabs';
import {
  isPlatform,
  PLATFORMS,
  lengthOf,
  measuresOf,
  splitPiece,
  type Measure,
  type Platform,
} from './platform-text';
import { useCitedSources } from './use-cited-sources';
import { useState } from 'react';
import { CopyText } from '../../ui/copy-text';
import { ExportFiles } from '../../ui/export-files';
import { ExportForm } from '../../ui/export-form';
import { ShareButton } from '../../ui/share-button';
import { lazyPart } from '../../ui/lazy-part';
import { RunProgress } from '../runs/run-progress';
import { textProps, ActionButton } from '../../ui/actions';

const ReturnedFile = lazyPart(() => import('../../ui/returned-file'));

/** Shows an article as a conversation: progress, streamed text and open questions. A reload resumes (A8). */
export default function ArticlePage() {
  const { t } = useTranslation();
  const { runId } = useParams({ from: '/shell/articles/$runId' });
  const [run, instead] = useReady(runQuery(runId));
  const { events } = useRunEvents(runId);
  const open = useOpenDecisions(runId) ?? [];
  const mayWrite = useMay('write');
  if (instead) return instead;
  const { topic, approved } = run.progress.details as { topic?: string | null; approved?: boolean };
  const name = run.title ?? topic ?? t('articles.article');
  return (
    <>
      <PageHeader title={name}>
        <WorkActions id={run.session_id} name={name} run={run} leaveTo="article" />
        {approved && (
          <ShareButton sessionId={run.session_id} of={{ result: { kind: 'article', name: 'article' } }} />
        )}
      </PageHeader>
      <Stack gap="lg">
        <RunProgress run={run} />
        {open.length === 0 && !isOver(run) && <Stream events={events} />}
        <ArticleText
          run={run}
          isUnderReview={open.some(({ decision_type: type }) => type === 'article_draft')}
        />
        <ArticleFiles run={run} />
        {mayWrite && isOver(run) && approved && <ExportArticle run={run} />}
        {mayWrite && isOver(run) && approved && <Repurpose run={run} />}
      </Stack>
    </>
  );
}

/** Shows the model's output of the current step as it streams. */
function Stream({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const since = events.findLastIndex(({ type }) => type === 'node_complete');
  const text = events
    .slice(since + 1)
    .filter(({ type }) => type === 'token')
    .map(({ data }) => String(data['text'] ?? data['token'] ?? ''))
    .join('');
  if (text === '') return null;
  return (
    <Paper withBorder p="md" aria-label={t('articles.stream')} component="section">
      <div className="verbatim">{text}</div>
    </Paper>
  );
}

const RESULTS = ['article', 'corrected', 'annotated', 'report', ...PLATFORMS] as const;

interface ArticleTextProps {
  run: Run;
  /** Whether the draft is shown for review; then it can only be downloaded here. */
  isUnderReview: boolean;
}

/** Shows the current results of an article, for reading and downloading. */
function ArticleText({ run, isUnderReview }: ArticleTextProps) {
  const { t } = useTranslation();
  const { data: results } = useQuery({
    ...articleResults(run.session_id, `${run.status} ${run.progress.phase}`),
    placeholderData: keepPreviousData,
  });
  const found = RESULTS.flatMap((name) => {
    const text = results?.get(name);
    return text ? [{ name, text }] : [];
  });
  if (found.length === 0) return null;
  const ofRun = found.find(({ name }) => isPlatform(name) === (run.mode === 'repurpose')) ?? found[0]!;
  return (
    // Until the user chooses a result, show the run's own, which may appear after the report.
    <PageTabs
      initial={ofRun.name}
      tabs={found.map(({ name, text }) => ({
        name,
        label: t(`articleResult.${name}`),
        content: (
          <Stack align="stretch" gap="sm">
            <Button
              component="a"
              variant="default"
              w="fit-content"
              href={`/api/sessions/${run.session_id}/results/article/${name}`}
              download={`${name}.md`}
              aria-label={t('export.downloadNamed', { name: t(`articleResult.${name}`) })}
            >
              {t('document.downloadFile')}
            </Button>
            {!(isUnderReview && name === 'article') && <Result run={run} name={name} text={text} />}
          </Stack>
        ),
      }))}
    />
  );
}

function Result({ run, name, text }: { run: Run; name: (typeof RESULTS)[number]; text: string }) {
  const { t } = useTranslation();
  const sources = useCitedSources(run.id);
  if (isPlatform(name)) return <PlatformPiece platform={name} text={text} />;
  const { session_id } = run;
  return (
    <TextViews
      label={t(`articleResult.${name}`)}
      markdown={text}
      sessionId={session_id}
      sources={sources}
      changeable={name === 'article' && isOver(run) && { session_id, of: 'article' }}
      comments={name === 'article' && { session_id, of: 'article' }}
    />
  );
}

/**
 * Shows an article's version for a platform (A14). Each part can be edited and copied. Limits update during
 * typing.
 */
function PlatformPiece({ platform, text }: { platform: Platform; text: string }) {
  const { t } = useTranslation();
  const [{ title, parts }, setPiece] = useState(() => splitPiece(platform, text));
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        {measuresOf(platform, title, parts).map((measure) => (
          <MeasureBadge key={measure.name} measure={measure} />
        ))}
      </Group>
      {title !== null && <Text fw={600}>{title}</Text>}
      {parts.map((part, index) => {
        const label = t('repurpose.part', { number: index + 1 });
        const length = lengthOf(platform, part);
        const isTooLong = length !== null && length.is > length.most;
        const change = (changed: string) => setPiece({ title, parts: parts.with(index, changed) });
        return (
          <Paper key={index} withBorder p="sm">
            <Textarea
              label={label}
              maxRows={20}
              error={isTooLong && t('repurpose.tooLong')}
              {...textProps(part, change)}
            />
            <Group mt="xs" justify="space-between">
              {length ? <MeasureBadge measure={length} /> : <span />}
              <CopyText text={part} name={label} size="compact-xs" />
            </Group>
          </Paper>
        );
      })}
    </Stack>
  );
}

function MeasureBadge({ measure: { name, is, most } }: { measure: Measure }) {
  const { t } = useTranslation();
  return <StateBadge state={is > most ? 'failed' : 'done'} text={t(`repurpose.${name}`, { is, most })} />;
}

/** Exports an approved article to files. */
function ExportArticle({ run }: { run: Run }) {
  const { t } = useTranslation();
  const start = useNextRun(run, 'export');
  return <Card title={t('articles.export')} children={<ExportForm onExport={start} />} />;
}

/** Returns what starts a run with an approved article and opens its page. */
function useNextRun({ session_id }: Run, mode: 'export' | 'repurpose') {
  const navigate = useNavigate();
  return async (inputs: Record<string, unknown>) => {
    const { id } = await startArticleRun(session_id, mode, inputs);
    await navigate({ to: '/articles/$runId', params: { runId: id } });
  };
}

/** Shows the files of a run that exported an article. */
function ArticleFiles({ run }: { run: Run }) {
  const { data } = useQuery({ ...exportsOf(run.session_id), enabled: isOver(run) });
  const share = useNextRun(run, 'export');
  const { exports = [] } = run.progress.details as { exports?: { id: string }[] };
  const made = new Set(exports.map(({ id }) => id));
  const files = data?.items.filter(({ id }) => made.has(id)) ?? [];
  if (files.length === 0) return null;
  return (
    <>
      <ExportFiles sessionId={run.session_id} files={files} />
      {files.some(({ format }) => format === 'docx') && (
        <ReturnedFile
          sessionId={run.session_id}
          share={() => share({ formats: ['docx'], proposals: 'tracked' })}
        />
      )}
    </>
  );
}

/** Rewrites an approved article for the chosen platforms (A14). */
function Repurpose({ run }: { run: Run }) {
  const { t } = useTranslation();
  const start = useNextRun(run, 'repurpose');
  const [platforms, setPlatforms] = useState<Platform[]>(PLATFORMS);
  return (
    <Card title={t('repurpose.title')}>
      <Checkbox.Group
        label={t('repurpose.where')}
        value={platforms}
        onChange={(chosen) => setPlatforms(chosen as Platform[])}
      >
        <Group mt="xs">
          {PLATFORMS.map((platform) => (
            <Checkbox key={platform} value={platform} label={t(`articleResult.${platform}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group justify="flex-end">
        <ActionButton
          label={t('repurpose.start')}
          disabled={platforms.length === 0}
          act={() => start({ platforms })}
        />
      </Group>
    </Card>
  );
}
