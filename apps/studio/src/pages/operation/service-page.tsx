import { Button, PasswordInput, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem } from '../../api/api-query';
import { readService, retryDeadLetter, type Operator, type ServiceState } from '../../api/operator';
import { PageHeader, Section, PageLoader, ProblemAlert } from '../../ui/frames';
import { textProps, SendForm, ActionButton } from '../../ui/actions';
import { formatBytes, formatNumber } from '../../ui/format';
import { ListTable } from '../../ui/list-table';

/** The operator's view across tenants; the credentials stay in the memory of this page. */
export default function ServicePage() {
  const { t } = useTranslation();
  const [operator, setOperator] = useState<Operator | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { data, error, isFetching, refetch } = useQuery({
    // Instead of the password, the key has the number of the attempt: the data belongs only to this page.
    queryKey: ['service', attempt],
    queryFn: () => readService(operator!),
    enabled: operator !== null,
    gcTime: 0,
    retry: false,
    refetchInterval: 10_000,
  });
  return (
    <>
      <PageHeader title={t('service.title')}>
        <Button component="a" href="/admin/queues" target="_blank" rel="noreferrer" variant="default">
          {t('service.board')}
        </Button>
      </PageHeader>
      {error && (
        <ProblemAlert
          error={error}
          {...(isWrongPassword(error)
            ? { advice: t('service.wrongPassword') }
            : { onRetry: () => void refetch() })}
        />
      )}
      {(operator === null || error) && (
        <Credentials
          onGiven={(given) => {
            setOperator(given);
            setAttempt(attempt + 1);
          }}
        />
      )}
      {isFetching && !data && <PageLoader />}
      {data && operator && <Tables state={data} operator={operator} onChanged={refetch} />}
    </>
  );
}

const isWrongPassword = (error: unknown) => error instanceof ApiProblem && error.problem.status === 401;

function Credentials({ onGiven }: { onGiven: (operator: Operator) => void }) {
  const { t } = useTranslation();
  const [user, setUser] = useState('admin');
  const [password, setPassword] = useState('');
  return (
    <Paper withBorder p="md" maw={420}>
      <SendForm
        label={t('service.show')}
        isDisabled={user === '' || password === ''}
        send={() => Promise.resolve(onGiven({ user, password }))}
      >
        <TextInput label={t('service.user')} {...textProps(user, setUser)} />
        <PasswordInput
          label={t('service.password')}
          description={t('service.hint')}
          autoComplete="off"
          {...textProps(password, setPassword)}
        />
      </SendForm>
    </Paper>
  );
}

interface TablesProps {
  state: ServiceState;
  operator: Operator;
  onChanged: () => Promise<unknown>;
}

/** Lists queues, stuck runs, failed jobs and tenants. */
function Tables({ state, operator, onChanged }: TablesProps) {
  const { t } = useTranslation();
  const retry = ({ queue, job_id: id }: ServiceState['dead'][number]) => (
    <ActionButton
      isSmall
      label={t('service.retryNow')}
      act={() => retryDeadLetter(operator, queue, id).then(onChanged)}
    />
  );
  return (
    <Stack gap="xl">
      <Listed
        title={t('service.queues')}
        items={state.queues}
        cells={({ queue, waiting, active, delayed, failed }) => ({ queue, waiting, active, delayed, failed })}
      />
      <Listed
        title={t('service.stuck')}
        items={state.stuck}
        cells={({ id, kind, reason, crashes }) => ({ run: id, kind, reason, crashes })}
      />
      <Listed
        title={t('service.dead')}
        items={state.dead.map((letter) => ({ ...letter, id: `${letter.queue}/${letter.job_id}` }))}
        cells={(letter) => ({
          queue: letter.queue,
          job: letter.name,
          reason: letter.reason,
          retry: retry(letter),
        })}
      />
      <Listed
        title={t('service.tenants')}
        items={state.tenants}
        cells={(tenant) => ({
          tenant: tenant.name,
          storage: formatBytes(tenant.storage_bytes),
          tokens: formatNumber(tenant.monthly_tokens),
          suspended: tenant.suspended && t('service.yes'),
        })}
      />
    </Stack>
  );
}

interface ListedProps<Item extends object> {
  title: string;
  items: Item[];
  /** Returns the cells of a row by the name of their column. */
  cells: (item: Item) => Record<string, ReactNode>;
}

function Listed<Item extends object>({ title, items, cells }: ListedProps<Item>) {
  const { t } = useTranslation();
  const names = items[0] ? Object.keys(cells(items[0])) : [];
  const columns = names.map((name) => ({
    label: t(`service.column.${name}`),
    cell: (item: Item) => cells(item)[name],
  }));
  return (
    <Section title={title}>
      {items.length === 0 && <Text c="dimmed">{t('service.none')}</Text>}
      {items.length > 0 && <ListTable items={items} minWidth={480} columns={columns} />}
    </Section>
  );
}
