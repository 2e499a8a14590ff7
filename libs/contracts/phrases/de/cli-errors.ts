/** Errors of the command line in German. */
export const cliErrors = {
  'cli_error.answer_all': 'Beantworten Sie alle Felder zusammen; es fehlt: {fields}.',
  'cli_error.answer_fields': 'Die Frage hat kein Feld „{unknown}“; ihre Felder sind: {known}.',
  'cli_error.answer_file': 'Die Datei „{path}“ für „{ref}“ wurde nicht gefunden.',
  'cli_error.answer_star': '„{option}“ ist keine gültige Antwort: „*“ lässt nur skip zu.',
  'cli_error.answer_syntax':
    '„{option}“ ist keine gültige Antwort: Schreiben Sie VERWEIS=PFAD oder VERWEIS=skip.',
  'cli_error.article_answer_missing':
    'Der Artikel braucht eine Antwort, es gibt aber kein Terminal für die Frage ({question}). Verwenden Sie --accept oder antworten Sie bei laufendem Dienst mit „{command}“.',
  'cli_error.article_format':
    'Ein Artikel kann als .md, .docx, .pdf, .epub oder .zip (Markdown mit Bildern) geschrieben werden, nicht als {file}',
  'cli_error.book_format':
    'Ein Buch kann als .docx, .pdf, .epub oder .zip (Markdown mit Bildern) exportiert werden, nicht als {file}',
  'cli_error.book_inputs':
    'Geben Sie die Dateien oder Ordner an, aus denen geschrieben werden soll, oder setzen Sie mit --book BUCH ein Buch fort.',
  'cli_error.book_without_sources': 'Das Buch {book} hat keine Quellensammlung.',
  'cli_error.cannot_read': '„{file}“ ist nicht lesbar ({code}).',
  'cli_error.cannot_read_folder': 'Der Ordner „{folder}“ ist nicht lesbar ({code}).',
  'cli_error.cannot_send': '„{file}“ kann nicht gesendet werden: {reason}.',
  'cli_error.cannot_write': '„{file}“ kann nicht geschrieben werden: {reason}',
  'cli_error.confirm_owner':
    'Nichts wurde geändert. Prüfen Sie mit --dry-run, welche Zeilen {owner} erhielte, und bestätigen Sie dann mit --confirm-owner {owner}.',
  'cli_error.corpus_folder_empty':
    '„{folder}“ enthält keine Texte. Ein Korpus ist ein Ordner mit .md- oder .txt-Dateien.',
  'cli_error.corpus_needed':
    'Geben Sie mit --corpus einen Ordner mit Texten an oder lassen Sie den Entwurf mit --rules general ohne Korpus prüfen.',
  'cli_error.database_to_migrate':
    'Geben Sie in DATABASE_URL oder DATABASE_URL_FILE die Datenbank an, die migriert werden soll.',
  'cli_error.database_to_repair':
    'Geben Sie in DATABASE_URL oder DATABASE_URL_FILE die Datenbank an, die repariert werden soll.',
  'cli_error.docx_name': 'Die Ausgabe ist eine Word-Datei, ihr Name muss auf .docx enden: {output}',
  'cli_error.file_changed':
    '„{file}“ hat sich inzwischen geändert und bleibt, wie sie ist. Führen Sie den Befehl noch einmal aus.',
  'cli_error.intent_or_dag':
    'Geben Sie entweder ein Ziel, mit --dag DATEI einen Plan oder mit --template NAME eine Vorlage an.',
  'cli_error.refine_what':
    'Geben Sie an, was zu ändern ist: entweder mit Optionen wie --move, --rename und --remove oder in eigenen Worten für ein Modell.',
  'cli_error.set_without_template': '--set gibt einer Vorlage Werte: Nennen Sie die Vorlage mit --template.',
  'cli_error.invalid_url': 'SCRIPTORIUM_URL ist keine gültige URL. Beispiel: http://127.0.0.1:8080.',
  'cli_error.is_a_folder': '„{file}“ ist ein Ordner, keine Datei.',
  'cli_error.name_encoding': '{problem} Auf der Kommandozeile geht das mit --encoding NAME.',
  'cli_error.name_the_part':
    'Geben Sie die Stelle, die sich ändern soll, entweder mit --select "WÖRTER" oder mit --lines ERSTE-LETZTE an.',
  'cli_error.new_secret': '„{name}“ ist neu: Geben Sie mit --host an, welche Hosts es erhalten dürfen.',
  'cli_error.no_answer_article':
    'Sie haben nicht geantwortet; der Lauf ist gespeichert und wartet weiter auf eine Antwort.',
  'cli_error.no_answer_change': 'Sie haben nicht geantwortet; der Text ist unverändert.',
  'cli_error.no_answer_outline': 'Es kam keine Antwort; die Gliederung ist unverändert.',
  'cli_error.no_document': 'Der Lauf endete ohne Dokument (Status: {status}).',
  'cli_error.no_file_or_folder': '„{name}“ ist weder eine Datei noch ein Ordner.',
  'cli_error.no_files':
    'Keine Dateien zum Senden in {paths}: Alle sind leer, versteckt oder werden nicht unterstützt.',
  'cli_error.no_key':
    'SCRIPTORIUM_URL ist gesetzt, SCRIPTORIUM_API_KEY aber nicht: Geben Sie darin einen API-Schlüssel an (scr_…).',
  'cli_error.no_key_file':
    'Unter {url} läuft ein Dienst, aber {file} enthält keinen API-Schlüssel: Setzen Sie SCRIPTORIUM_API_KEY.',
  'cli_error.no_open_findings': 'Der Lauf {run} hat keine offene Frage mit Befunden.',
  'cli_error.no_problem_details':
    '{origin} hat mit dem HTTP-Status {status} geantwortet, ohne den Fehler zu beschreiben. Ist es ein Scriptorium-Dienst?',
  'cli_error.no_proposal': 'Der Lauf hat nichts vorgeschlagen.',
  'cli_error.no_response': '{origin} hat nicht rechtzeitig geantwortet.',
  'cli_error.no_results': 'Der Lauf {run} endete ohne Ergebnisse (Status: {status}).',
  'cli_error.no_source_readable':
    'Keine Quelle war lesbar, deshalb gibt es nichts, woraus geschrieben werden kann.',
  'cli_error.no_stack':
    'Es läuft kein Dienst: Starten Sie einen mit „scriptorium start“ oder setzen Sie SCRIPTORIUM_URL und SCRIPTORIUM_API_KEY.',
  'cli_error.no_such_book':
    'Das Buch „{name}“ wurde nicht gefunden. „scriptorium book list“ zeigt Ihre Bücher.',
  'cli_error.no_such_chapter': 'Das Buch hat kein Kapitel {number}.',
  'cli_error.no_such_collection': 'Die Sammlung „{name}“ wurde nicht gefunden.',
  'cli_error.no_such_secret': 'Es gibt kein Geheimnis „{name}“.',
  'cli_error.no_such_source': 'Die Quelle „{name}“ wurde in der Sammlung nicht gefunden.',
  'cli_error.no_value':
    'Es fehlt der Wert: Tippen Sie ihn ein oder übergeben Sie ihn über die Standardeingabe.',
  'cli_error.no_word_file': 'Der Lauf {run} wurde ohne Word-Datei abgeschlossen.',
  'cli_error.not_a_number': '„{typed}“ ist keine Zahl ab 1.',
  'cli_error.not_a_range': '„{typed}“ ist kein Zeilenbereich wie 10-14.',
  'cli_error.not_an_object': '{what} ist kein JSON-Objekt.',
  'cli_error.not_found': '„{name}“ wurde nicht gefunden.',
  'cli_error.not_utf8':
    '„{file}“ ist nicht in UTF-8 kodiert. Speichern Sie die Datei in UTF-8 und versuchen Sie es erneut.',
  'cli_error.nothing_readable':
    'Keine Datei war lesbar, deshalb gibt es nichts, woraus geschrieben werden kann.',
  'cli_error.of_session_only': '--of gilt nur für die Sitzung eines Dokuments oder Artikels.',
  'cli_error.part_unreachable': 'Ein Teil des Dienstes ist nicht erreichbar.',
  'cli_error.plan_no_question':
    'Der Plan hat keine offene Frage. „scriptorium plan show“ zeigt seinen Stand.',
  'cli_error.plan_outcome':
    'Geben Sie mit --outcome an, was aus dem Aufruf wurde: repeat, done, failed oder abort.',
  'cli_error.prices_json': '--prices muss JSON sein, zum Beispiel {example}.',
  'cli_error.same_name':
    '„{other}“ und „{path}“ hätten beide den Namen „{name}“: Senden Sie den Ordner, der beide enthält, oder benennen Sie eine Datei um.',
  'cli_error.several_books': 'Mehrere Bücher heißen „{name}“: Geben Sie stattdessen eine ID an.',
  'cli_error.sources_or_all':
    'Geben Sie entweder die Quellen an, die entfernt werden sollen, oder --all für die ganze Sammlung.',
  'cli_error.start_failed': 'Der Dienst ist nicht gestartet: {reason}',
  'cli_error.start_failed_log': 'Der eingebettete Dienst ist nicht gestartet: {reason} (siehe {file})',
  'cli_error.unknown_platform': '„{name}“ ist unbekannt. Zur Wahl stehen {names}.',
  'cli_error.unknown_target': '„{typed}“ ist unbekannt. Wählen Sie document oder article.',
  'cli_error.unreachable': '{origin} ist nicht erreichbar ({reason}).',
  'cli_error.interrupted': 'Unterbrochen.',
  'cli_error.with_hint': '{problem} {hint}',
  'cli_error.run_saved': 'Der Lauf ist gespeichert: Setzen Sie ihn mit „{command}“ fort.',
  'cli_error.run_not_started': 'Der Lauf wurde nicht gestartet.',
  'cli_error.plan_saved': 'Der Plan ist gespeichert: „{command}“ zeigt seinen Stand.',
  'file_error.permission': 'Zugriff verweigert. Ändern Sie die Rechte oder wählen Sie einen anderen Pfad.',
  'file_error.read_only': 'Das Dateisystem ist schreibgeschützt. Wählen Sie einen anderen Pfad.',
  'file_error.disk_full': 'Der Datenträger ist voll. Schaffen Sie Platz oder wählen Sie einen anderen Pfad.',
  'file_error.quota':
    'Ihr Kontingent auf dem Datenträger ist aufgebraucht. Schaffen Sie Platz oder wählen Sie einen anderen Pfad.',
  'file_error.size_limit':
    'Die Datei überschreitet die Größengrenze. Erhöhen Sie die Grenze oder wählen Sie einen anderen Pfad.',
  'file_error.disk_error': 'Der Datenträger meldet einen Ein-/Ausgabefehler. Wählen Sie einen anderen Pfad.',
  'file_error.not_a_folder': 'Ein Teil des Pfads ist eine Datei, kein Ordner. Wählen Sie einen anderen Pfad.',
  'file_error.name_too_long': 'Der Name ist zu lang. Wählen Sie einen kürzeren.',
  'file_error.link_loop': 'Der Pfad enthält einen Kreis symbolischer Links. Wählen Sie einen anderen Pfad.',
  'file_error.missing': 'Die Datei oder den Ordner gibt es nicht.',
  'file_error.is_a_folder': 'Das ist ein Ordner, keine Datei.',
  'run_status.queued': 'in der Warteschlange',
  'run_status.running': 'in Arbeit',
  'run_status.needs_answer': 'braucht eine Antwort',
  'run_status.completed': 'abgeschlossen',
  'run_status.failed': 'fehlgeschlagen',
  'run_status.cancelled': 'abgebrochen',
  'run_status.rejected': 'abgelehnt',
  'left_out.cannot_read': 'sie ist nicht lesbar ({code})',
  'service_trouble.postgres': 'PostgreSQL antwortet nicht',
  'service_trouble.queue': 'Die Warteschlange antwortet nicht',
  'service_trouble.store': 'Der Objektspeicher antwortet nicht',
  'service_trouble.paused':
    '{trouble}. Läufe pausieren, bis das behoben ist, und gehen dann weiter; nichts geht verloren',
  'service_trouble.over': 'Der Dienst ist wieder verfügbar',
  'cli.stopping': 'wird beendet …',
  'cli.still_stopping': 'wird noch beendet …',
  'cli_error.book_saved': 'Das Buch ist gespeichert: Exportieren Sie es mit „{command}“.',
  'cli_error.chapters_saved': 'Fertige Kapitel sind gespeichert: Setzen Sie mit „{command}“ fort.',
  'cli_error.decisions_saved': 'Der Lauf ist gespeichert: „{command}“ zeigt seine Fragen.',
  'cli_error.indexed_later': 'Das Hochgeladene wird indiziert, solange ein Dienst läuft.',
  'cli_error.reindexed_later': 'Die übrigen Quellen werden indiziert, solange ein Dienst läuft.',
  'cli_error.nothing_printed': 'Es wurde nichts ausgegeben.',
  'cli_error.proposal_saved':
    'Der Vorschlag ist gespeichert; führen Sie den Befehl erneut aus, um einen neuen zu erhalten.',
  'cli_error.status_saved': 'Der Lauf ist gespeichert: „{command}“ zeigt seinen Stand.',
  'service_trouble.no_response': 'keine rechtzeitige Antwort',
  'service_trouble.unreachable': '{url} ist nicht erreichbar ({reason})',
} as const;
