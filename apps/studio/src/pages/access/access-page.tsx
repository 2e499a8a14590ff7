import { Button, Group, Stack, Text, Alert, Checkbox, Code, CopyButton, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { type Schemas, api } from '../../api/client';
import { useMay, type Scope } from '../../api/session';
import { Moment } from '../../ui/moment';
import { Dialog } from '../../ui/dialog';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { apiChange, apiQuery } from '../../api/api-query';
import { Form } from '../../ui/form';
import { ConfirmButton } from '../../ui/confirm-button';
import { ListTable } from '../../ui/list-table';

/** Lists the tenant's API keys with their scopes and last use. */
export function AccessPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [isOpen, { open, close }] = useDisclosure();
  const { data, error, isPending, refetch } = useQuery({ ...keysQuery, enabled: isAdmin });
  if (!isAdmin)
    return (
      <>
        <PageHeader title={t('access.title')} />
        <Text>{t('access.adminsOnly')}</Text>
      </>
    );
  return (
    <>
      <PageHeader title={t('access.title')}>
        <Button onClick={open}>{t('access.new')}</Button>
      </PageHeader>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <PageLoader />}
      {data && <KeyTable keys={data.items} />}
      <Dialog opened={isOpen} onClose={close} title={t('access.new')}>
        <NewKey />
      </Dialog>
    </>
  );
}

function KeyTable({ keys }: { keys: Schemas['ApiKey'][] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={keys}
      minWidth={640}
      columns={[
        { label: t('access.name'), cell: ({ name }) => name },
        { label: t('access.key'), cell: ({ prefix }) => <Code>{prefix}…</Code> },
        {
          label: t('access.scopes'),
          cell: ({ scopes }) => scopes.map((scope) => t(`scope.${scope}`)).join(', '),
        },
        {
          label: t('access.lastUsed'),
          cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : t('access.never')),
        },
        { label: t('work.actions'), cell: (key) => <Revoke apiKey={key} />, isNumber: true },
      ]}
    />
  );
}

/** Revokes a key after a second click: its clients stop working immediately, and it cannot be restored. */
function Revoke({ apiKey }: { apiKey: Schemas['ApiKey'] }) {
  const { t } = useTranslation();
  const { mutate, error, isPending } = useMutation({ mutationFn: () => revokeKey(apiKey.id) });
  if (apiKey.revoked_at) return <Text c="dimmed">{t('access.revoked')}</Text>;
  return (
    <>
      <ConfirmButton
        label={t('access.revoke')}
        confirm={t('access.confirm')}
        name={apiKey.name}
        loading={isPending}
        onConfirm={() => mutate()}
      />
      {error && <ProblemAlert error={error} />}
    </>
  );
}

const SCOPES: Scope[] = ['read', 'write', 'admin'];

/** Creates an API key, which is shown only once. */
function NewKey() {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['read', 'write']);
  const making = useMutation({
    mutationFn: () => createKey({ name: name.trim(), scopes: scopes as Scope[] }),
  });
  if (making.data)
    return (
      <Alert color="green" title={t('access.made')}>
        <Stack gap="sm">
          <Code block>{making.data.key}</Code>
          <CopyButton value={making.data.key}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {t(copied ? 'access.copied' : 'access.copy')}
              </Button>
            )}
          </CopyButton>
        </Stack>
      </Alert>
    );
  return (
    <Form onSubmit={() => making.mutate()}>
      <Stack>
        <TextInput
          label={t('access.name')}
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group label={t('access.scopes')} value={scopes} onChange={setScopes}>
          <Group mt={4}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={t(`scope.${scope}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        {making.error && <ProblemAlert error={making.error} />}
        <Button type="submit" disabled={name.trim() === '' || scopes.length === 0} loading={making.isPending}>
          {t('access.make')}
        </Button>
      </Stack>
    </Form>
  );
}

const keysQuery = apiQuery(['keys'], '/api/keys', { query: { limit: 100 } });

/** Creates an API key. Only this response contains the key itself. @throws ApiProblem */
const createKey = (body: Schemas['NewApiKey']) => apiChange(api.POST('/api/keys', { body }), ['keys']);

/** @throws ApiProblem `last_admin_key` */
const revokeKey = (id: string) =>
  apiChange(api.DELETE('/api/keys/{key_id}', { params: { path: { key_id: id } } }), ['keys']);
