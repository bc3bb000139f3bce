/* The operation of elements whose handlers may let packets through that could not be pulled before: elements after this one look again.
 * Included once for each instance, for the runtime.
 */
CONTROL()
{
	wake_pullers();
	return 0;
}
