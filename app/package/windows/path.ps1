# path.ps1 add|remove FOLDER: puts a folder at the end of the person's PATH, or takes it away. All else in it stays as
# it is, with its variables unexpanded.
param([Parameter(Mandatory)][ValidateSet('add', 'remove')][string]$Verb, [Parameter(Mandatory)][string]$Folder)
$ErrorActionPreference = 'Stop'
$key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
try {
  $value = [string]$key.GetValue('Path', '', [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
  $before = @($value -split ';' | Where-Object { $_ -ne '' })
  $others = @($before | Where-Object { $_.TrimEnd('\') -ne $Folder.TrimEnd('\') })
  if ($Verb -eq 'add' -and $others.Count -ne $before.Count) { exit 0 }
  if ($Verb -eq 'remove' -and $others.Count -eq $before.Count) { exit 0 }
  $after = if ($Verb -eq 'add') { $others + $Folder } else { $others }
  $key.SetValue('Path', ($after -join ';'), [Microsoft.Win32.RegistryValueKind]::ExpandString)
} finally {
  $key.Close()
}
