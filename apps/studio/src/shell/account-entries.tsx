import { Button, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation, changeLanguage } from '../i18n/i18n';
import { useRef } from 'react';
import { signOut } from '../api/session';
import { languages, type Language } from '../i18n/language';

const SCHEMES = ['light', 'dark', 'auto'] as const;

interface AccountEntriesProps {
  name: string;
  /** Name of the session's API key. */
  keyName: string;
}

/** Menu entries for appearance, language and sign-out; initially open. */
export default function AccountEntries({ name, keyName }: AccountEntriesProps) {
  const { t, language } = useTranslation();
  const navigate = useNavigate();
  const target = useRef<HTMLButtonElement>(null);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu
      position="bottom-end"
      width={240}
      defaultOpened
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      onClose={() => target.current?.focus()}
    >
      <Menu.Target>
        <Button ref={target} variant="subtle" size="compact-md">
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{keyName}</Menu.Label>
        <Menu.Item component={Link} to="/settings/model">
          {t('nav.settings')}
        </Menu.Item>
        <Menu.Label>{t('account.language')}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(chosen) => void changeLanguage(chosen as Language)}>
          {(Object.keys(languages) as Language[]).map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
              {languages[code]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{t('account.colours')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {SCHEMES.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {t(`account.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>{t('account.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
