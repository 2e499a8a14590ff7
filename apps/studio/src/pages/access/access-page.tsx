import { NewSecret } from '../../ui/copy-text';
import { Group, Text, Checkbox, Code, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { apiQuery, change } from '../../api/api-query';
import { useMay, type Scope } from '../../api/session';
import { Moment } from '../../ui/format';
import { NewItem } from '../../ui/new-item';
import { PageHeader, useReady } from '../../ui/frames';
import { textProps, SendForm, ConfirmedAction } from '../../ui/actions';
import { ListTable } from '../../ui/list-table';

/** Lists the tenant's API keys with their scopes and last use. */
export default function AccessPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [data, instead] = useReady({ ...keysQuery, enabled: isAdmin });
  return (
    <>
      <PageHeader title={t('access.title')}>
        <NewItem label={t('access.new')} scope="admin">
          <NewKey />
        </NewItem>
      </PageHeader>
      {isAdmin ? instead : <Text>{t('access.adminsOnly')}</Text>}
      {isAdmin && data && (
        <ListTable
          items={data.items}
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
            {
              label: t('work.actions'),
              // The clients of a revoked key stop working immediately, and it cannot be restored.
              cell: ({ id, name, revoked_at }) =>
                revoked_at ? (
                  <Text c="dimmed">{t('access.revoked')}</Text>
                ) : (
                  <ConfirmedAction
                    label={t('access.revoke')}
                    confirm={t('access.confirm')}
                    name={name}
                    act={() => change('DELETE /api/keys/{key_id}', { key_id: id }, ['keys'])}
                  />
                ),
              isNumber: true,
            },
          ]}
        />
      )}
    </>
  );
}

const SCOPES: Scope[] = ['read', 'write', 'admin'];

/** Creates an API key, which is shown only once. */
function NewKey() {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['read', 'write']);
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <NewSecret title={t('access.made')} secret={made} />;
  return (
    <SendForm
      label={t('access.make')}
      isDisabled={name.trim() === '' || scopes.length === 0}
      send={async () => {
        const body = { name: name.trim(), scopes: scopes as Scope[] };
        setMade((await change('POST /api/keys', { body }, ['keys'])).key);
      }}
    >
      <TextInput label={t('access.name')} required maxLength={100} {...textProps(name, setName)} />
      <Checkbox.Group label={t('access.scopes')} value={scopes} onChange={setScopes}>
        <Group mt={4}>
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(`scope.${scope}`)} />
          ))}
        </Group>
      </Checkbox.Group>
    </SendForm>
  );
}

const keysQuery = apiQuery(['keys'], '/api/keys', { limit: 100 });
