/**
 * Variables that make a program load or run other code: a wrapped plugin never gets them, whoever sets them.
 * native-helper has the same list for what it passes on (rule: cleared-environment).
 */
const loaders =
  /^(LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|NODE_(OPTIONS|PATH|COMPILE_CACHE|REPL_EXTERNAL_MODULE)|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|PYTHON(PATH|HOME|STARTUP|INSPECT|WARNINGS|BREAKPOINT|USERBASE|PYCACHEPREFIX|PLATLIBDIR)|PERL5(LIB|OPT|DB)|PERLLIB|RUBY(LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE)|OPENSSL_(CONF|ENGINES|MODULES)|ZDOTDIR|PSMODULEPATH|APPDOMAIN_MANAGER_(ASM|TYPE)|DEVPATH|COR(ECLR)?_(ENABLE_PROFILING|PROFILER.*))$/i;

/** Variables that only a plugin’s client sets (KEP-541), and Lanyard’s own. */
const own = /^(KUBERNETES_EXEC_INFO|LANYARD_.*)$/i;

/** Why not; continues the variable’s name. */
export const loaderFault = 'makes programs load or run something else, and never reaches a plugin';

/** Whether a wrapped plugin may get a variable of this name. */
export function mayReachPlugin(name: string): boolean {
  return !loaders.test(name) && !own.test(name);
}
