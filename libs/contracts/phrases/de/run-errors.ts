/** Reasons why runs and tasks failed, in German. */
export const runErrors = {
  'run_error.at_chapter': 'Kapitel {number}: {error}',
  'run_error.at_task': '{task}: {error}',
  'run_error.at_task_of_tool': '{task} ({tool}): {error}',
  'run_error.with_saved_text': '{error} Der bisherige Text ist gespeichert.',
  'run_error.with_unchanged_text': '{error} Der Text ist unverändert.',
  'run_error.with_saved_files': '{where}: {error} Die bisherigen Ergebnisse und Dateien sind gespeichert.',
  'run_error.budget_exceeded': 'Das Budget reicht für den Aufruf des Modells nicht.',
  'run_error.budget_exceeded.call': 'Der Aufruf könnte ein Budget überschreiten.',
  'run_error.budget_exceeded.cost':
    'Der Lauf wurde beendet: {spent} des Kostenbudgets von {limit} sind verbraucht. Das bisherige Manuskript ist gespeichert.',
  'run_error.budget_exceeded.saved':
    'Der Lauf wurde beendet, weil sein Budget aufgebraucht war. Der bisherige Text ist gespeichert.',
  'run_error.budget_exceeded.tokens':
    'Der Lauf wurde beendet: {spent} des Budgets von {limit} Tokens sind verbraucht. Das bisherige Manuskript ist gespeichert.',
  'run_error.budget_exceeded.unchanged':
    'Der Lauf wurde beendet, weil sein Budget aufgebraucht war. Der Text ist unverändert.',
  'run_error.cancelled': 'Der Lauf wurde abgebrochen.',
  'run_error.changed_meanwhile':
    'Das Manuskript hat sich seit der Auswahl geändert. Wählen Sie den Text noch einmal aus.',
  'run_error.child_failed': 'Der Lauf {run} endete mit dem Status {status}.',
  'run_error.graph_node_missing':
    'Der Lauf müsste beim Schritt „{node}“ weitergehen, den es in Version {version} seines Ablaufs nicht mehr gibt. Starten Sie einen neuen Lauf.',
  'run_error.graph_version_missing':
    'Der Lauf wurde mit Version {started} des Ablaufs {kind} gestartet, der Dienst hat aber nur Version {version}.',
  'run_error.rolled_back':
    'Der Lauf wurde abgebrochen, und seine Änderungen an der Sitzung wurden zurückgenommen.',
  'run_error.run_blocked':
    'Ein Schritt des Laufs hat seinen Prozess {times}-mal blockiert, weil er zu lange ohne Pause gerechnet hat. Vereinfachen Sie Muster, Ausdrücke oder Texte und starten Sie dann einen neuen Lauf.',
  'run_error.run_failed': 'Der Lauf endete ohne Ergebnis.',
  'run_error.step_failed':
    'Ein Schritt des Laufs ist {times}-mal nacheinander fehlgeschlagen. Beheben Sie die Ursache (siehe Log) und starten Sie dann einen neuen Lauf.',
  'run_error.task_failed': 'Die Aufgabe {task} ist nach {attempts} Versuchen fehlgeschlagen.',
  'run_error.task_poisoned':
    'Die Aufgabe {task} hat {times}-mal nacheinander ihren Worker zum Absturz gebracht.',
  'run_error.unknown_kind': 'Läufe der Art {kind} werden nicht unterstützt.',
  'run_error.unknown_task': 'Kein Worker der Warteschlange {queue} bearbeitet die Aufgabe {task}.',

  'database_cause.too_large':
    'Die Datenbank hat einen Wert oder eine Anweisung abgelehnt, die ihre Größengrenzen überschreitet. Starten Sie einen neuen Lauf mit weniger auf einmal: weniger Aufgaben oder Dateien, oder kürzere Texte.',
  'database_cause.disk_full': 'Der Datenbank fehlt Speicherplatz.',
  'database_cause.out_of_memory': 'Der Arbeitsspeicher der Datenbank reicht nicht aus.',
  'database_cause.too_many_connections': 'Die Datenbank nimmt keine weiteren Verbindungen an.',
  'database_cause.invalid_value': 'Die Datenbank hat einen Wert abgelehnt, den sie nicht speichern kann.',
  'database_cause.conflict': 'Die Datenbank hat eine Zeile abgelehnt, die einer anderen widerspricht.',

  'run_error.conversion_memory_limit':
    'Die Umwandlung des Dokuments braucht zu viel Speicher. Teilen Sie es in kleinere Dokumente auf.',
  'run_error.conversion_time_limit':
    'Die Umwandlung des Dokuments hat zu lange gedauert. Teilen Sie es in kleinere Dokumente auf.',
  'run_error.conversion_too_deep':
    'Das Dokument ist zu tief verschachtelt, um es umzuwandeln. Vereinfachen Sie seine Listen oder Zitate.',
  'run_error.extraction_failed':
    '{reason}. Ersetzen oder entfernen Sie die Datei und starten Sie einen neuen Lauf.',
  'run_error.issue_at_line': 'Zeile {line}: {message}',
  'run_error.largest_source': 'Die Quelle mit dem meisten Text ist {name} ({bytes} Bytes).',
  'run_error.no_inputs':
    'Die Sitzung enthält keine Dateien. Laden Sie mindestens eine hoch und starten Sie einen neuen Lauf.',
  'run_error.no_manuscript':
    'Der Agent hat nichts geschrieben, deshalb gibt es kein Manuskript, das Sie annehmen könnten.',
  'run_error.quality_check_failed': 'Die Word-Datei weicht vom Manuskript oder seinen Quellen ab: {issues}',
  'run_error.source_too_hard.references':
    'Die Suche nach Verweisen in {name} hat zu lange gedauert. Teilen Sie die Datei auf oder lassen Sie sie weg und starten Sie einen neuen Lauf.',
  'run_error.source_too_hard.source':
    'Die Quelle {name} zu übernehmen hat zu lange gedauert. Teilen Sie sie auf oder lassen Sie sie weg und starten Sie einen neuen Lauf.',
  'run_error.step_limit':
    'Der Agent ist nach {max} Modellaufrufen nicht fertig geworden. Das bisherige Manuskript ist gespeichert.',
  'run_error.trace_too_hard':
    'Das Dokument ist zu groß, um es mit seinen Quellen zu vergleichen. Teilen Sie es in kleinere Dokumente auf.',
  'run_error.validation_failed':
    'Nach drei Versuchen gab es noch immer Mängel, und der Lauf wurde abgebrochen. Das Manuskript ist gespeichert.',

  'run_error.book_gone': 'Das Buch wurde während des Laufs gelöscht.',
  'run_error.chapter_accepted': 'Kapitel {number} wurde während des Laufs angenommen und ist unverändert.',
  'run_error.chapter_accepted.set_state':
    'Kapitel {number} ist angenommen. Setzen Sie seinen Status auf „written“, um es neu schreiben zu lassen.',
  'run_error.chapter_empty':
    'Für das Kapitel ist keine Stelle der Quellen übrig, deshalb hat es keinen Text. Fügen Sie Quellen hinzu, ordnen Sie ihm in der Gliederung Stellen zu oder schreiben Sie es selbst.',
  'run_error.chapter_gone': 'Das Kapitel wurde während des Laufs gelöscht.',
  'run_error.chapter_required':
    'Geben Sie in inputs.chapter_number oder inputs.chapter_id an, welches Kapitel geschrieben werden soll.',
  'run_error.chapter_unknown': 'Die Gliederung hat {chapters} Kapitel, das gewünschte ist nicht dabei.',
  'run_error.chapters_empty':
    'Diese Kapitel haben keinen Text, weil für sie keine Stelle der Quellen übrig ist: {titles}. Die anderen sind geschrieben. Fügen Sie Quellen hinzu, ändern Sie die Gliederung oder schreiben Sie die Kapitel selbst.',
  'run_error.feedback_not_applied': 'Ihre Anmerkungen konnten nicht umgesetzt werden: {reasons}',
  'run_error.feedback_not_applied.quote':
    'Das Modell hat keine Änderung vorgeschlagen, die Ihre Anmerkungen erlauben. Zitieren Sie die Wörter, die sich ändern sollen: Angenommene Absätze ändern sich nur, wenn Sie daraus zitieren.',
  'run_error.feedback_required':
    'Geben Sie entweder in inputs.operations oder in inputs.feedback an, was an der Gliederung zu ändern ist.',
  'run_error.feedback_unclear':
    'Die Gliederung ist unverändert. {why} Nennen Sie die Kapitel und was zu ändern ist.',
  'run_error.feedback_unclear.no_change': 'Eine Änderung wird nicht genannt.',
  'run_error.message_required':
    'Geben Sie in inputs.messages die Nachrichten des Autors an, die neueste zuletzt.',
  'run_error.model_text_kept.failed':
    'Das Modell konnte nicht antworten, und der Offline-Schreiber ersetzt keinen Text eines Modells. Das Kapitel ist unverändert; starten Sie den Lauf erneut, wenn ein Modell verfügbar ist.',
  'run_error.model_text_kept.no_model':
    'Es ist kein Modell eingerichtet, und der Offline-Schreiber ersetzt keinen Text eines Modells. Das Kapitel ist unverändert; starten Sie den Lauf erneut, wenn ein Modell verfügbar ist.',
  'run_error.no_book':
    'Die Sitzung gehört zu keinem Buch. Starten Sie den Lauf mit der project_id eines Buchs.',
  'run_error.no_chapters': 'Noch kein Kapitel des Buchs hat Text.',
  'run_error.no_outline':
    'Das Buch hat noch keine Gliederung. Lassen Sie eine erstellen (Lauf im Modus toc).',
  'run_error.text_kept.failed':
    'Die Antworten des Modells waren unbrauchbar, und der Offline-Schreiber überarbeitet keinen Text. Das Kapitel ist unverändert; bearbeiten Sie es selbst oder starten Sie den Lauf erneut, wenn ein Modell verfügbar ist.',
  'run_error.text_kept.no_model':
    'Es ist kein Modell eingerichtet, und der Offline-Schreiber überarbeitet keinen Text. Das Kapitel ist unverändert; bearbeiten Sie es selbst oder starten Sie den Lauf erneut, wenn ein Modell verfügbar ist.',
  'run_error.text_too_hard.article':
    'Die Analyse des Textes hat zu lange gedauert. Kürzen Sie ihn oder entfernen Sie Quellen und starten Sie einen neuen Lauf.',
  'run_error.text_too_hard.change':
    'Die Prüfung der Änderung hat zu lange gedauert. Wählen Sie einen kürzeren Teil des Textes aus und versuchen Sie es noch einmal.',
  'run_error.text_too_hard.chapter':
    'Die Analyse des Textes hat zu lange gedauert. Teilen Sie das Kapitel oder seine Quellen auf und starten Sie einen neuen Lauf.',

  'run_error.collection_unknown': 'Eine der angegebenen Sammlungen gibt es nicht.',
  'run_error.duplicate_topic': 'Es gibt bereits einen Artikel zu diesem Thema: „{topic}“.',
  'run_error.fetch_off':
    'Diese Installation darf keine Seiten aus dem Web lesen. Laden Sie sie als Dateien hoch oder bitten Sie den Betreiber, FETCH_URL zu setzen.',
  'run_error.no_approved_article':
    'Die Sitzung hat keinen freigegebenen Artikel. Geben Sie zuerst einen frei oder senden Sie den Text in inputs.user_text.',
  'run_error.no_corpus': 'Der Mandant hat kein Stilkorpus. {advice}',
  'run_error.no_named_source':
    'Wenn nur in genannten Quellen recherchiert wird, muss inputs.sources mindestens eine Seite oder Datei enthalten. Sonst setzen Sie inputs.research auf „collections“ oder „web“.',
  'run_error.no_research_provider':
    'Auf dieser Installation ist keine Websuche eingerichtet. Recherchieren Sie in Sammlungen oder wenden Sie sich an den Betreiber.',
  'run_error.no_sources':
    'Zum Thema wurde nichts gefunden. Fügen Sie einer Sammlung Quellen hinzu oder formulieren Sie das Thema anders.',
  'run_error.not_approved.corrections': 'Niemand hat die Korrekturen freigegeben. Sie sind gespeichert.',
  'run_error.not_approved.draft': 'Niemand hat den Entwurf freigegeben. Er ist gespeichert.',
  'run_error.nothing_to_tell': 'Der Text enthält keinen Satz, der sich für eine Plattform eignet.',
  'run_error.rejected.corrections':
    'Die Korrekturen wurden {times}-mal abgelehnt. Die letzten sind gespeichert.',
  'run_error.rejected.draft': 'Der Entwurf wurde {times}-mal abgelehnt. Der letzte ist gespeichert.',
  'run_error.research_quota': 'Der Artikel braucht mehr Websuchen, als ein Lauf machen darf.',
  'run_error.research_refused': 'Der Suchdienst hat die Anfrage abgelehnt (Status {status}).',
  'run_error.research_stopped': 'Der Artikel wurde nach der Recherche beendet.',
  'run_error.research_unavailable': 'Der Suchdienst antwortet nicht. Versuchen Sie es später noch einmal.',
  'run_error.research_unavailable.invalid': 'Die Antwort des Suchdienstes ist ungültig.',
  'run_error.research_unavailable.too_large': 'Die Antwort des Suchdienstes ist zu groß.',
  'run_error.source_unknown':
    'Eine Datei dieses Namens wurde nicht hochgeladen: {names}. Laden Sie sie zuerst in die Sitzung hoch oder geben Sie die Adresse einer Seite mit https:// an.',
  'run_error.source_unreadable':
    'Entfernen Sie aus inputs.sources, was sich nicht lesen lässt, oder laden Sie es in anderer Form hoch. {problems}',
  'run_error.topic_required': 'Geben Sie in inputs.topic das Thema des Artikels an.',
  'run_error.user_text_required': 'Senden Sie den Text in inputs.user_text.',

  'run_error.no_model.call':
    'Diese Installation hat kein Sprachmodell. Richten Sie eines ein oder planen Sie ohne Modell.',
  'run_error.no_model.change':
    'Es ist kein Modell eingerichtet, und Regeln können einen Text nicht nach Wunsch ändern. Bearbeiten Sie den Text oder richten Sie ein Modell ein.',
  'run_error.proposal_unusable':
    'Das Modell hat zwei Antworten gegeben, die die Auswahl nicht ersetzen können. Formulieren Sie die Anweisung anders oder wählen Sie eine andere Stelle aus.',

  'run_error.hil_timeout': 'Niemand hat den Plan rechtzeitig freigegeben.',
  'run_error.no_tools': 'Kein Werkzeug passt zum Ziel.',
  'run_error.outcome_unknown': '{error} Es ist unbekannt, ob der Aufruf gewirkt hat.',
  'run_error.outcome_unknown.interrupted':
    'Der Aufruf wurde unterbrochen. Es ist unbekannt, ob er gewirkt hat.',
  'run_error.outcome_unknown.unanswered':
    '{task} ({tool}): Die Frage, ob der Aufruf gewirkt hat, wurde nicht rechtzeitig beantwortet.',
  'run_error.plan_aborted.agent': 'Der Agent hat den Plan beendet.',
  'run_error.plan_aborted.at_task': 'Der Plan wurde bei {task} ({tool}) beendet.',
  'run_error.plan_aborted.command': 'Ein Befehl hat den Plan beendet.',
  'run_error.plan_failed.changed': 'Der Plan konnte nicht geändert werden',
  'run_error.plan_failed.made': 'Der Plan konnte nicht erstellt werden',
  'run_error.plan_failed.no_result': 'Der Plan endete ohne Ergebnis.',
  'run_error.plan_rejected': 'Der Plan wurde abgelehnt.',
  'run_error.plan_rejected.reason': 'Der Plan wurde abgelehnt: {reason}',
  'run_error.replan_failed': 'Die Neuplanung ist fehlgeschlagen.',
  'run_error.replan_limit': 'Ein Plan kann höchstens {max}-mal neu geplant werden.',
  'run_error.replan_no_tools': 'Kein Werkzeug passt zur neuen Anforderung.',
  'run_error.tool_failed.interrupted': 'Der Aufruf wurde unterbrochen.',
  'run_error.unknown_tool': 'Es gibt kein Werkzeug „{tool}“.',
  'run_error.unknown_tool.approved': 'Es gibt kein freigegebenes Werkzeug „{tool}“.',
  'run_error.when_not_boolean': 'Die Bedingung („when“) muss auf true oder false verweisen.',

  semicolons: '{first}; {rest}',
} as const;
