import {
  type Query,
  type QueryKey,
  useIsFetching,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { isBlockingError } from '../api/query-client';
import {
  Alert,
  Badge,
  type BadgeProps,
  Button,
  Code,
  Group,
  Text,
  Center,
  Loader,
  Stack,
  Paper,
  Title,
  type TextProps,
} from '@mantine/core';
import { ApiProblem } from '../api/api-query';
import { usePhrases } from './run-words';
import { useTranslation } from '../i18n/i18n';
import { useDocumentTitle } from '@mantine/hooks';

/**
 * Returns the data of a query, or what the page shows instead: that it waits, or an error that replaces the data, with a
 * way to try again.
 */
export function useReady<Fetched, Data, Key extends QueryKey>(
  query: UseQueryOptions<Fetched, Error, Data, Key>,
): [data: Data, instead: null] | [data: undefined, instead: ReactElement] {
  const { data, error, refetch } = useQuery(query);
  if (isBlockingError(error, data))
    return [undefined, <ProblemAlert key="error" error={error} onRetry={() => void refetch()} />];
  return data === undefined ? [undefined, <PageLoader key="loader" />] : [data, null];
}

interface ProblemAlertProps {
  error: unknown;
  /** Replaces the service's detail, which may be meant for programs. */
  advice?: string | undefined;
  onRetry?: () => void;
}

/** The code of a problem, for those who look it up; shown on demand. */
export function ProblemCode({ code }: { code: string }) {
  const { t } = useTranslation();
  return (
    <Text component="details" size="sm">
      <summary>{t('run.details')}</summary>
      <Code>{code}</Code>
    </Text>
  );
}

/** Shows an error with the problem's code and a way to retry. */
export function ProblemAlert({ error, advice, onRetry }: ProblemAlertProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  const problem = error instanceof ApiProblem ? error.problem : null;
  const title = problem && render({ code: problem.code, params: {} }, problem.title);
  // The service's detail names requests of the API.
  const isMissing = problem?.code === 'not_found';
  const known = advice ?? (isMissing ? t('problem.missing') : undefined);
  return (
    <Alert color="red" role="alert" title={title || t('problem.title')}>
      <Text size="sm">
        {known ?? (problem ? render(problem.phrase, problem.detail) : t('problem.unreachable'))}
      </Text>
      {problem?.errors?.map(({ path, message, phrase }) => (
        <Text key={`${path} ${message}`} size="sm" mt={4}>
          <Code>{path}</Code> {render(phrase, message)}
        </Text>
      ))}
      {(problem || onRetry) && (
        <Group mt="sm" gap="sm">
          {problem && <ProblemCode code={problem.code} />}
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('problem.retry')}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

/** Returns whether a query without data tries again after a failure. */
const isRetried = ({ state }: Query): boolean => state.data === undefined && state.fetchFailureCount > 0;

/** Shows that the page waits for the service, and says so if that does not respond. */
export function PageLoader() {
  const { t } = useTranslation();
  const isRetrying = useIsFetching({ predicate: isRetried }) > 0;
  return (
    <Center py="xl" role="status" aria-label={t('shell.loading')}>
      <Stack align="center">
        <Loader />
        {isRetrying && <Text size="sm">{t('problem.retrying')}</Text>}
      </Stack>
    </Center>
  );
}

/** Heading of a part of a page. */
export const Heading = (props: { children: ReactNode }) => <Title order={2} size="h4" {...props} />;

interface CardProps {
  /** Heading; if it is no text, the card needs a label. */
  title?: ReactNode;
  /** States next to the heading. */
  badges?: ReactNode;
  label?: string | undefined;
  /** Buttons and links next to the heading. */
  actions?: ReactNode;
  component?: 'section' | 'article';
  children: ReactNode;
}

/** A framed part of a page under its own heading. */
export function Card({ title, badges, label, actions, component = 'section', children }: CardProps) {
  const isText = typeof title === 'string';
  return (
    <Paper withBorder p="md" component={component} aria-label={label ?? (isText ? title : undefined)}>
      <Stack gap="sm">
        {title !== undefined && (
          <Group justify="space-between">
            <Group gap="sm">
              {isText ? <Heading>{title}</Heading> : title}
              {badges}
            </Group>
            {actions}
          </Group>
        )}
        {children}
      </Stack>
    </Paper>
  );
}

interface SectionProps {
  title: string;
  order?: 2 | 3;
  children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, order = 2, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <Title order={order} size={order === 2 ? 'h4' : 'h5'} mb="xs" children={title} />
      {children}
    </section>
  );
}

/** Names of states by colour; any other state is grey. */
const STATES = {
  green: ['accepted', 'approved', 'completed', 'delivered', 'done', 'ready', 'started'],
  blue: ['discovering', 'indexing', 'info', 'new', 'running', 'written'],
  yellow: ['needs_answer', 'skipped'],
  orange: ['changed', 'rejected', 'warning'],
  red: ['denied', 'error', 'failed'],
};

interface StateBadgeProps extends BadgeProps {
  state: string;
  /** The state in words. */
  text: ReactNode;
  title?: string;
}

/** Shows a state with its colour, which is the same on every page. */
export function StateBadge({ state, text, ...look }: StateBadgeProps) {
  const [color = 'gray'] = Object.entries(STATES).find(([, states]) => states.includes(state)) ?? [];
  return <Badge component="span" variant="dot" color={color} {...look} children={text} />;
}

/** Small text that explains or adds details. */
export const Hint = (props: TextProps & { role?: 'status'; children: ReactNode }) => (
  <Text size="sm" c="dimmed" {...props} />
);

/** Shows the page's only first-level heading, with its actions, and sets the window title. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  useDocumentTitle(`${title} · Scriptorium`);
  return (
    <Group justify="space-between" mb="lg" align="center" className="page-header">
      <Title order={1}>{title}</Title>
      {children && <Group gap="sm">{children}</Group>}
    </Group>
  );
}

/** Explains what to do on an empty page. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs">
        <Heading>{title}</Heading>
        <Text c="dimmed" ta="center" maw={480}>
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
