import { Button, Group, PasswordInput, Paper, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem } from '../../api/client';
import { readService, type Operator } from '../../api/operation';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { ServiceTables } from './service-tables';
import { Form, textProps } from '../../ui/form';

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
      {data && operator && (
        <ServiceTables state={data} operator={operator} onChanged={() => void refetch()} />
      )}
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
      <Form onSubmit={() => onGiven({ user, password })}>
        <Stack gap="sm">
          <TextInput label={t('service.user')} {...textProps(user, setUser)} />
          <PasswordInput
            label={t('service.password')}
            description={t('service.hint')}
            autoComplete="off"
            {...textProps(password, setPassword)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={user === '' || password === ''}>
              {t('service.show')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Paper>
  );
}
