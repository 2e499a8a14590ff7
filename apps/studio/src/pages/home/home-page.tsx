import { Button, Group, Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDocumentTitle } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { openDecisionsQuery, type Decision } from '../../api/decisions';
import { useMay } from '../../api/session';
import { WORK_KINDS, worksOf } from '../../api/work';
import { Age } from '../../ui/format';
import { useNewWork } from '../../ui/new-work';
import { lazyPart } from '../../ui/lazy-part';
import { ProblemAlert, Hint, Section } from '../../ui/frames';
import { RouteAnchor } from '../../ui/route-links';
import { useRunWords } from '../../ui/run-words';
import { DecisionLink, WorkAnchor, WorkState } from '../../ui/work-name';
import './home.css';
import { Form, textProps } from '../../ui/actions';

const NewDocument = lazyPart(() => import('../documents/new-document'));
const DecisionReview = lazyPart(() => import('../decisions/decision-review'));

/** Number of items in each list. */
const SHOWN = 6;

/** Returns the newest open questions; undefined until they are loaded. */
function useWaiting(): Decision[] | undefined {
  const { data, isPending } = useQuery(openDecisionsQuery);
  return isPending ? undefined : (data?.items ?? []).slice(0, SHOWN);
}

/** The first page: purpose of the service, a box for files or a goal, kinds of work, open questions, newest work. */
export function HomePage() {
  const { t } = useTranslation();
  useDocumentTitle('Scriptorium');
  return (
    <div className="home">
      <Stack gap="md">
        <Title order={1} className="home-title">
          {t('home.title')}
        </Title>
        {useMay('write') && <Begin />}
      </Stack>
      <Stack gap="xl">
        <NeedsYou />
        <Continue />
      </Stack>
    </div>
  );
}

/** Box for files or a goal, and a card with an example for each kind of work. */
function Begin() {
  const { t } = useTranslation();
  const [begin, dialog] = useNewWork();
  const [goal, setGoal] = useState('');
  return (
    <>
      <NewDocument />
      <Form onSubmit={() => begin('plan', goal.trim())} className="home-goal">
        <input
          className="search-field"
          aria-label={t('home.goal')}
          placeholder={t('home.goal')}
          maxLength={2_000}
          {...textProps(goal, setGoal)}
        />
        <Button type="submit" variant="default" disabled={goal.trim() === ''}>
          {t('home.begin')}
        </Button>
      </Form>
      <div className="home-cards">
        {WORK_KINDS.map((kind) => (
          <button key={kind} type="button" className="home-card" onClick={() => begin(kind)}>
            <strong>{t(`kind.${kind}`)}</strong>
            <span>{t(`home.example.${kind}`)}</span>
          </button>
        ))}
      </div>
      {dialog}
    </>
  );
}

/** Lists the work that waits for an answer, newest first, to answer it here; nothing if none does. */
function NeedsYou() {
  const { t } = useTranslation();
  const waiting = useWaiting();
  if (!waiting?.length) return null;
  return (
    <Section title={t('home.needsYou')}>
      {waiting.map((decision) => (
        <Question key={decision.id} decision={decision} />
      ))}
      <RouteAnchor to="/inbox" size="sm">
        {t('home.allQuestions')}
      </RouteAnchor>
    </Section>
  );
}

function Question({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const words = useRunWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <Item
      name={<DecisionLink decision={decision} />}
      note={words.waiting(decision.decision_type)}
      at={decision.created_at}
      badge={
        <Button
          size="compact-xs"
          color="yellow"
          variant="light"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('decision.answer')}
        </Button>
      }
    >
      {isOpen && <DecisionReview decision={decision} />}
    </Item>
  );
}

/** Lists the newest work of every kind with its state, without what is listed as waiting for an answer. */
function Continue() {
  const { t } = useTranslation();
  const words = useRunWords();
  const waiting = useWaiting();
  const { data, error, refetch } = useInfiniteQuery(worksOf({}));
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  const asking = waiting?.map(({ session_id: id }) => id);
  const works = (asking && data?.pages[0]?.items.filter(({ id }) => !asking.includes(id))) ?? [];
  if (works.length === 0) return null;
  return (
    <Section title={t('home.recent')}>
      {works.slice(0, SHOWN).map((work) => (
        <Item
          key={work.id}
          name={<WorkAnchor work={work} />}
          note={words.kind(work.kind)}
          at={work.changed_at}
          badge={<WorkState work={work} />}
        />
      ))}
      <RouteAnchor to="/work" size="sm">
        {t('home.allWork')}
      </RouteAnchor>
    </Section>
  );
}

interface ItemProps {
  name: ReactNode;
  note: string;
  at: string;
  badge: ReactNode;
  children?: ReactNode;
}

function Item({ name, note, at, badge, children }: ItemProps) {
  return (
    <div className="home-item">
      <div className="home-name">{name}</div>
      <Group gap="xs">
        {badge}
        <Hint>
          {note} · <Age at={at} />
        </Hint>
      </Group>
      {children}
    </div>
  );
}
