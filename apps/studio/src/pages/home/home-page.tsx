import { Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDocumentTitle } from '@mantine/hooks';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { openDecisionsQuery } from '../../api/decisions';
import { retryingImport } from '../../api/retrying-import';
import { isOver, runsOf } from '../../api/runs';
import { useMay } from '../../api/session';
import { Age } from '../../ui/age';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { RouteAnchor } from '../../ui/route-links';
import { RunStatusBadge } from '../../ui/run-status-badge';
import { useRunWords } from '../../ui/run-words';
import { WorkLink } from '../../ui/work-name';
import { isWholeWork, worksOf } from '../../ui/works';
import './home.css';

const NewDocument = lazy(retryingImport(() => import('../documents/new-document')));

/** Number of items in each list. */
const SHOWN = 6;

/** The first page: purpose of the service, a drop area for files, open questions, and recent work. */
export function HomePage() {
  const { t } = useTranslation();
  useDocumentTitle('Scriptorium');
  const mayWrite = useMay('write');
  return (
    <div className="home">
      <Stack gap="md">
        <Title order={1} className="home-title">
          {t('home.title')}
        </Title>
        <Text c="dimmed">{t('home.text')}</Text>
        {mayWrite && (
          <Suspense fallback={<PageLoader />}>
            <NewDocument />
          </Suspense>
        )}
      </Stack>
      <Stack gap="xl">
        <NeedsYou />
        <Recent />
      </Stack>
    </div>
  );
}

/** Lists the work that waits for an answer, oldest first; nothing if none does. */
function NeedsYou() {
  const { t } = useTranslation();
  const words = useRunWords();
  const open = useQuery(openDecisionsQuery).data?.items ?? [];
  if (open.length === 0) return null;
  return (
    <Part title={t('home.needsYou')}>
      {open.slice(0, SHOWN).map((decision) => (
        <Item
          key={decision.id}
          name={
            <WorkLink
              run={{ id: decision.run_id, session_id: decision.session_id, kind: decision.run_kind }}
              text={decision.run_title ?? words.kind(decision.run_kind)}
            />
          }
          note={words.question(decision.decision_type)}
          at={decision.created_at}
          badge={<RunStatusBadge status="needs_answer" />}
        />
      ))}
      <RouteAnchor to="/decisions" size="sm">
        {t('home.allQuestions')}
      </RouteAnchor>
    </Part>
  );
}

/** Lists the newest work of every kind. */
function Recent() {
  const { t } = useTranslation();
  const words = useRunWords();
  const { data, error, refetch } = useInfiniteQuery(runsOf({}));
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  const runs = worksOf(data?.pages[0]?.items ?? []);
  if (runs.length === 0) return null;
  return (
    <Part title={t('home.recent')}>
      {runs.slice(0, SHOWN).map((run) => (
        <Item
          key={run.id}
          name={<WorkLink run={run} text={run.title ?? words.kind(run.kind)} />}
          note={words.kind(run.kind)}
          at={run.created_at}
          badge={(!isOver(run) || isWholeWork(run)) && <RunStatusBadge status={run.status} />}
        />
      ))}
      <RouteAnchor to="/runs" size="sm">
        {t('home.allRuns')}
      </RouteAnchor>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Stack gap={0}>{children}</Stack>
    </section>
  );
}

interface ItemProps {
  name: ReactNode;
  note: string;
  at: string;
  badge: ReactNode;
}

function Item({ name, note, at, badge }: ItemProps) {
  return (
    <div className="home-item">
      <div className="home-name">{name}</div>
      <Group gap="xs">
        {badge}
        <Text size="sm" c="dimmed">
          {note} · <Age at={at} />
        </Text>
      </Group>
    </div>
  );
}
