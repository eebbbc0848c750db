# PowerShell completion for lanyard. In $PROFILE: lanyard completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'lanyard' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    # Empty words get lost on the way to a program before PowerShell 7.3.
    $question = @('complete-words')
    if ($wordToComplete -eq '') { $question += @('--new-word', '--') + $before }
    else { $question += @('--') + $before + $wordToComplete.Trim("'", '"') }
    $lines = @(& $commandAst.GetCommandName() @question 2>$null)
    if ($lines.Count -eq 0) { return }

    $word = $wordToComplete.Trim("'", '"')
    $found = @($lines | Select-Object -SkipLast 1 | ForEach-Object {
        $text, $about = $_ -split "`t", 2
        if (-not $text.StartsWith($word)) { return }
        if (-not $about) { $about = $text }
        # Six typographic quotes are quotes to PowerShell, too; in single quotes four of them end the text.
        $typed = if ($text -match "[\s'`"``$(){}\[\];,|&<>@#\u2018-\u201e]") {
            "'" + ($text -replace "['\u2018-\u201b]", '$&$&') + "'"
        } else { $text }
        [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $about)
    })
    if ($found.Count -gt 0) { return $found }
    # Nothing at all lets PowerShell offer files; one empty result doesn't.
    if ($lines[-1] -eq ':4') { return '' }
}
