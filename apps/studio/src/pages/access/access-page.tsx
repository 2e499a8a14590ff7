import {
  Badge,
  Button,
  Group,
  Stack,
  Table,
  Text,
  Alert,
  Checkbox,
  Code,
  CopyButton,
  TextInput,
} from '@mantine/core';
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
    <Table.ScrollContainer minWidth={640}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('access.name')}</Table.Th>
            <Table.Th>{t('access.key')}</Table.Th>
            <Table.Th>{t('access.scopes')}</Table.Th>
            <Table.Th>{t('access.lastUsed')}</Table.Th>
            <Table.Th>{t('work.actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>{key.name}</Table.Td>
              <Table.Td ff="monospace">{key.prefix}…</Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {key.scopes.map((scope) => (
                    <Badge key={scope} variant="default">
                      {t(`scope.${scope}`)}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>{key.last_used_at ? <Moment at={key.last_used_at} /> : t('access.never')}</Table.Td>
              <Table.Td>
                <Revoke apiKey={key} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Revokes a key after a second click: its clients stop working immediately, and it cannot be restored. */
function Revoke({ apiKey }: { apiKey: Schemas['ApiKey'] }) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const { mutate, error, isPending } = useMutation({ mutationFn: () => revokeKey(apiKey.id) });
  if (apiKey.revoked_at) return <Text c="dimmed">{t('access.revoked')}</Text>;
  return (
    <Stack gap={4}>
      <Button
        size="xs"
        variant={isAsked ? 'filled' : 'default'}
        color={isAsked ? 'red.9' : undefined}
        loading={isPending}
        onBlur={() => setAsked(false)}
        onClick={() => (isAsked ? mutate() : setAsked(true))}
        aria-label={t(isAsked ? 'access.confirmRevoke' : 'access.revokeNamed', { name: apiKey.name })}
      >
        {t(isAsked ? 'access.confirm' : 'access.revoke')}
      </Button>
      {error && <ProblemAlert error={error} />}
    </Stack>
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
