import { Button, Container, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { ApiProblem } from '../../api/api-query';
import { signIn } from '../../api/session';
import { ProblemAlert } from '../../ui/frames';
import { Form, textProps } from '../../ui/actions';

/** Returns the page to open after sign-in: only a path of this service, to prevent open redirects. */
function destination(): string {
  const from = new URLSearchParams(window.location.search).get('from');
  // Parse as the browser would: it ignores tabs and reads a backslash as a slash.
  const url =
    from?.startsWith('/') && URL.canParse(from, window.location.origin)
      ? new URL(from, window.location.origin)
      : null;
  return url?.origin === window.location.origin ? url.pathname.replace(/^\/+/, '/') + url.search : '/';
}

/**
 * Returns the secret of a sign-in link, from the URL fragment, which server logs never contain; removes it
 * from the address.
 */
function takeLink(): string | null {
  const link = window.location.hash.slice(1);
  if (link === '') return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return link;
}

const link = takeLink();

export default function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [key, setKey] = useState('');
  const { mutate, error, variables, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: () => navigate({ href: destination(), replace: true }),
  });
  useEffect(() => {
    if (link !== null) mutate(link);
  }, [mutate]);
  const isWrongKey =
    error instanceof ApiProblem && error.problem.code === 'unauthorized' && variables !== link;
  return (
    <Container size={460} py={80} component="main">
      <Paper withBorder p="xl">
        <Form onSubmit={() => mutate(key.trim())}>
          <Stack>
            <Title order={1} size="h2">
              Scriptorium
            </Title>
            <Text c="dimmed">{t('signIn.text')}</Text>
            {error && <ProblemAlert error={error} advice={isWrongKey ? t('signIn.wrongKey') : undefined} />}
            <PasswordInput
              label={t('signIn.key')}
              description={t('signIn.hint')}
              placeholder="scr_…"
              autoComplete="current-password"
              required
              {...textProps(key, setKey)}
            />
            <Button type="submit" loading={isPending}>
              {t('signIn.submit')}
            </Button>
          </Stack>
        </Form>
      </Paper>
    </Container>
  );
}
