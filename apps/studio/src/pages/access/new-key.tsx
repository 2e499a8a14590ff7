import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { createKey } from '../../api/access';
import type { Scope } from '../../api/session';
import { ProblemAlert } from '../../ui/problem-alert';

const SCOPES: Scope[] = ['read', 'write', 'admin'];

/** Creates an API key, which is shown only once. */
export function NewKey() {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['read', 'write']);
  const making = useMutation({
    mutationFn: () => createKey({ name: name.trim(), scopes: scopes as Scope[] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
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
    <form onSubmit={submit}>
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
    </form>
  );
}
